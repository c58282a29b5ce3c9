package dev.pawl.internal.rate;

import dev.pawl.internal.store.Allocation.Starts;
import dev.pawl.internal.store.WorkerHost;
import dev.pawl.limit.Rate;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What is left of a rate, as it is stored with a limit or with each key. Callers lock the row before they allocate from it. Times are
 * microseconds since 1970 by the database's clock. Immutable.
 */
public final class Bucket {
    /** A worker discards an allocation that arrives later than this after its request. */
    static final Duration LONGEST_VALIDITY = WorkerHost.LONGEST_PERMIT;

    private final long nextStart;
    private final @Nullable CostlyStarts costly;

    Bucket(long nextStart, @Nullable CostlyStarts costly) {
        this.nextStart = nextStart;
        this.costly = costly;
    }

    /**
     * @param nextStart the next permitted start; 0 before the first
     * @param costly the value of {@link #costly}; null for none
     * @return the stored form
     */
    public static Bucket of(long nextStart, @Nullable String costly) {
        return new Bucket(nextStart, CostlyStarts.parse(costly));
    }

    /** {@return the next permitted start} */
    public long nextStart() {
        return nextStart;
    }

    /**
     * {@return recent starts in stored form, kept while some jobs cost several starts or some workers get late
     * responses; null for none}
     */
    public @Nullable String costly() {
        return costly == null ? null : costly.toString();
    }

    /**
     * An allocation of starts.
     *
     * @param after what is left afterwards
     * @param starts for the requesting worker
     */
    public record Allocated(Bucket after, Starts starts) {}

    /**
     * @param rate the current rate
     * @param now the current time
     * @param wanted how many starts a worker would use
     * @param largest how many of them a single job uses at most
     * @param goodFor how long they must be valid, if that is longer than usual
     * @return the allocation
     */
    public Allocated allocate(Rate rate, long now, int wanted, int largest, Duration goodFor) {
        RateSchedule rateSchedule = new RateSchedule(rate).goodFor(goodFor);
        int cost = Math.min(largest, rateSchedule.maxStarts());
        CostlyStarts known = costly == null ? null : costly.at(rateSchedule, now);
        boolean remembers = known != null && known.until() > now;
        if (!remembers && (wanted == 0 || (cost == 1 && rateSchedule.extra() == 0))) {
            RateSchedule.Taken taken = rateSchedule.take(nextStart, now, wanted);
            return allocated(new Bucket(taken.next(), null), rateSchedule, taken.count(), now, 0);
        }
        CostlyStarts recent = known != null && remembers ? known : CostlyStarts.first(rateSchedule, nextStart, now);
        int most = Math.min(wanted, recent.room(rateSchedule, now, cost));
        RateSchedule.Taken taken = cost > 1 && wanted >= cost
                ? rateSchedule.takeTogether(nextStart, now, most, cost)
                : rateSchedule.take(nextStart, now, most);
        CostlyStarts next = recent.with(rateSchedule, now, taken.count(), cost, wanted);
        return allocated(
                new Bucket(taken.next(), next),
                rateSchedule,
                taken.count(),
                now,
                next.untilRoom(rateSchedule, now, cost));
    }

    private static Allocated allocated(Bucket after, RateSchedule rateSchedule, int count, long now, long untilRoom) {
        Starts starts = new Starts(
                count,
                micros(rateSchedule.goodFor()),
                micros(Math.max(untilRoom, after.nextStart - now)),
                rateSchedule.perSecond(),
                rateSchedule.maxStarts());
        return new Allocated(after, starts);
    }

    /**
     * Moves the next start closer if a former, slower rate has set it far away.
     *
     * @param rate the current rate
     * @param now the current time
     * @return a copy whose next start is no further away than this rate can set it
     */
    public Bucket at(Rate rate, long now) {
        long furthest = now + furthest(rate, costly != null);
        CostlyStarts known = costly == null ? null : costly.at(new RateSchedule(rate), now);
        return new Bucket(Math.min(nextStart, furthest), known);
    }

    /**
     * @param rate the current rate
     * @param costly whether there are jobs that cost several starts
     * @return how far from now this rate can have set the next start, in microseconds
     */
    public static long furthest(Rate rate, boolean costly) {
        RateSchedule rateSchedule = new RateSchedule(rate);
        return costly ? rateSchedule.windowMicros() : rateSchedule.interval();
    }

    /**
     * @param rate the current rate
     * @param now the current time
     * @param ahead length of the period, in microseconds
     * @return the number of starts in that period if no worker takes one before
     */
    public int startsWithin(Rate rate, long now, long ahead) {
        return new RateSchedule(rate).between(nextStart, now, ahead);
    }

    /**
     * @param rate the current rate
     * @param now the current time
     * @param starts number of starts to skip
     * @return how long until the start after the skipped ones, in microseconds; negative if it is past
     */
    public long untilStart(Rate rate, long now, int starts) {
        return new RateSchedule(rate).after(nextStart, now, starts) - now;
    }

    /** {@return the time from which this may be deleted, because a new bucket would allow no more starts than this one} */
    public long keptUntil(Rate rate) {
        // For a job that costs several starts, each start counts for a whole window, and the last one was before the
        // next start.
        return Math.max(nextStart + new RateSchedule(rate).windowMicros(), costly == null ? 0 : costly.until());
    }

    private static Duration micros(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }
}
