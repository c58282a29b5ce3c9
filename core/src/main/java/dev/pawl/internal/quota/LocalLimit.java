package dev.pawl.internal.quota;

import dev.pawl.internal.store.Admission;
import dev.pawl.internal.store.Allocation;
import dev.pawl.internal.store.LimitSource;
import dev.pawl.limit.Subject;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * This worker's share of one limit. No job may start before the first allocation, or after an allocation has expired. Not thread-safe:
 * guarded by {@link LocalLimits}.
 */
final class LocalLimit {
    /** Jobs are claimed this long before their starts can be allocated. */
    private static final long NEAR_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final long ACTIVE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long EAGER_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** A limit counts as exhausted if no job can start for longer than this. */
    private static final long EXHAUSTED_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** How long a worker may keep unused permits that other workers want. */
    private static final long UNUSED_PERMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /**
     * Interval at which a worker without permits demands one, even if other workers want all permits, because there may be jobs that only
     * this worker can run.
     */
    private static final long PROBE_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** How long a worker keeps its only permit if there are fewer permits than workers. */
    private static final long ROTATION_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long SHARE_NANOS = LimitSource.SHARE.toNanos();

    private final Subject subject;
    private boolean known;
    private boolean limited = true;
    private int running;
    private int waiting;
    /** Number of waiting jobs by cost, for costs above 1. */
    private final NavigableMap<Integer, Integer> costs = new TreeMap<>();

    private long waitingStarts;
    /** Number of waiting jobs at which more should be claimed. */
    private int low;
    /** Whether {@code low} was reported since the room was last calculated. */
    private boolean reportedLow;

    private boolean used;

    private boolean counted;
    /** The number of permits in the database. */
    private int share;
    /** Permits that this worker uses: its share, or fewer once it has decided to return some. */
    private int cap;

    private long shareEndNanos;
    /** When {@code cap} last changed from or to zero. */
    private long capSinceNanos;

    private boolean wantsMore;
    /** Whether the worker could run more jobs when it sent its last request. */
    private boolean canUse = true;
    /** How many more permits other workers want. */
    private int wanted;

    private long probedNanos;
    /** When the last job started or finished, or the first of the waiting jobs began to wait. */
    private long movedNanos;

    private long wantedNanos;

    private boolean rated;
    private int mostStarts = Integer.MAX_VALUE;
    private int starts;
    private long startsEndNanos;
    private long nextStartNanos;
    private long startsGoodForNanos;
    private double startsASecond;

    private boolean held;
    private long heldUntilNanos;
    private boolean trying;

    private boolean eager = true;
    private boolean worksAgain;
    private long requestedNanos;

    LocalLimit(Subject subject, long now) {
        this.subject = subject;
        this.requestedNanos = now - IDLE_NANOS;
        this.capSinceNanos = now;
        this.probedNanos = now - PROBE_NANOS;
        this.movedNanos = now;
        this.wantedNanos = now;
    }

    /** {@return the limit of a key with a rate, for which starts are requested only while jobs wait} */
    static LocalLimit ofKey(Subject subject, long now) {
        LocalLimit localLimit = new LocalLimit(subject, now);
        localLimit.rated = true;
        return localLimit;
    }

    /** {@return the time until the next request, for the limit of a key} */
    long untilRequestOfKey(long now) {
        return waiting > 0 ? untilRequest(now) : Long.MAX_VALUE;
    }

    /** Records that a job is about to wait. */
    void wantedAgain(long now) {
        wantedNanos = now;
    }

    /** {@return whether no job has waited or started for this long} */
    boolean isUnusedFor(long nanos, long now) {
        return waiting == 0 && now - movedNanos > nanos && now - wantedNanos > nanos;
    }

    /** {@return the nanoseconds until the next start, if no start is available now or soon; else 0} */
    long untilStarts(long now) {
        boolean far = rated && known && limited && liveStarts(now) == 0 && nextStartNanos - now > EXHAUSTED_NANOS;
        return far ? nextStartNanos - now : 0;
    }

    Subject subject() {
        return subject;
    }

    boolean isLimited() {
        return limited;
    }

    /** {@return how many jobs of this cost could start now} */
    int free(int cost, long now) {
        if (!limited) {
            return Integer.MAX_VALUE;
        }
        if (!known || isHeld(now)) {
            return 0;
        }
        int free = Integer.MAX_VALUE;
        if (counted) {
            free = now - shareEndNanos >= 0 ? 0 : Math.max(0, cap - running);
        }
        if (rated) {
            free = Math.min(free, liveStarts(now) / starts(cost));
        }
        return free;
    }

    /** {@return how many jobs of this cost could start now, or with the next allocation, if that is due soon} */
    int near(int cost, long now) {
        int free = free(cost, now);
        if (free > 0 || !limited || !known || isHeld(now) || !rated || nextStartNanos - now > NEAR_NANOS) {
            return free;
        }
        int permits = counted ? (now - shareEndNanos >= 0 ? 0 : Math.max(0, cap - running)) : Integer.MAX_VALUE;
        return (int) Math.min(permits, Math.max(1, startsASecond * NEAR_NANOS / 1e9 / starts(cost)));
    }

    /** {@return whether a waiting job costs more than one start} */
    boolean anyCostly() {
        return !costs.isEmpty();
    }

    /** {@return the largest cost of the waiting jobs, if it is more than one start and the starts are allocated; else 1} */
    int maxCost(long now) {
        return rated && !costs.isEmpty() && liveStarts(now) >= largest() ? costs.lastKey() : 1;
    }

    private boolean isHeld(long now) {
        return held && now - heldUntilNanos < 0;
    }

    /**
     * Moves a job from waiting to running.
     *
     * @return the deadline for the start, by {@link System#nanoTime}
     */
    long acquire(int cost, long now) {
        running++;
        waiting--;
        waitingStarts -= cost;
        costs(cost, -1);
        movedNanos = now;
        used = true;
        if (limited && rated) {
            starts -= starts(cost);
            return startsEndNanos;
        }
        return Admission.Limiter.ANY_TIME;
    }

    /**
     * Ends a running job.
     *
     * @return whether more jobs should be claimed, because few wait and there may be more; true at most once after each calculation of
     *     {@link #room}
     */
    boolean release(long now) {
        running--;
        movedNanos = now;
        boolean news = wantsMore && waiting <= low && !reportedLow;
        reportedLow |= news;
        return news;
    }

    void waiting(int cost, int jobs, long now) {
        if (waiting == 0) {
            movedNanos = now;
        }
        waiting += jobs;
        waitingStarts += (long) cost * jobs;
        costs(cost, jobs);
    }

    private void costs(int cost, int jobs) {
        if (cost > 1) {
            costs.merge(cost, jobs, (one, more) -> one + more == 0 ? null : one + more);
        }
    }

    /** {@return how many starts a job of this cost uses} */
    private int starts(int cost) {
        return Math.min(cost, mostStarts);
    }

    /** {@return how many starts the most expensive waiting job uses} */
    private int largest() {
        return costs.isEmpty() ? 1 : starts(costs.lastKey());
    }

    /** {@return whether starts should be requested as soon as the rate allows, because jobs wait for them} */
    boolean isShortOfStarts(long now) {
        return rated && waiting > 0 && liveStarts(now) < largest();
    }

    private int liveStarts(long now) {
        return now - startsEndNanos >= 0 ? 0 : starts;
    }

    /**
     * @param ahead how many jobs all handlers of the worker will finish within a moment
     * @param handlers how many handlers the worker has
     * @return how many jobs to claim at most
     */
    int room(int ahead, int handlers, long now) {
        reportedLow = false;
        if (!limited) {
            return Integer.MAX_VALUE;
        }
        if (!known || isHeld(now)) {
            return 0;
        }
        long room = Integer.MAX_VALUE;
        if (counted) {
            cap = Math.min(cap, handlers); // the worker may have fewer handlers than at the allocation
            long soon = (long) ahead * Math.min(cap, handlers) / handlers;
            room = now - shareEndNanos >= 0 ? 0 : cap - running + soon;
        }
        if (rated) {
            boolean none = liveStarts(now) == 0 && nextStartNanos - now > NEAR_NANOS;
            long near = Math.max(1, (long) (startsASecond * NEAR_NANOS / 1e9));
            room = Math.min(room, none ? 0 : liveStarts(now) + near);
        }
        if (room == Integer.MAX_VALUE) {
            return Integer.MAX_VALUE;
        }
        low = (int) (room / 2);
        return waiting > low ? 0 : (int) Math.max(0, room - waiting); // jobs are claimed in portions, not one by one
    }

    /** {@return how many waiting jobs may start within a moment} */
    int soon(long now) {
        if (!limited) {
            return Integer.MAX_VALUE;
        }
        if (!known || isHeld(now) || (counted && cap == 0)) {
            return 0;
        }
        return rated ? free(1, now) : Integer.MAX_VALUE;
    }

    /**
     * Records the result of a claim.
     *
     * @param all whether the claim filled the room, so that there may be more jobs
     * @return whether to request more permits immediately
     */
    boolean claimed(boolean all) {
        used = true;
        boolean news = counted && all && !wantsMore;
        eager |= news;
        wantsMore = all;
        return news;
    }

    /** {@return whether starts must be requested for waiting jobs} */
    boolean isRated() {
        return rated || !known;
    }

    /** {@return the time until the next request} */
    long untilRequest(long now) {
        if (isShortOfStarts(now)) {
            long untilStart = Math.max(nextStartNanos - now, requestedNanos + startsGoodForNanos / 4 - now);
            return Math.max(0, Math.min(untilStart, requestedNanos + ACTIVE_NANOS - now));
        }
        boolean hasIdlePermits = wanted > 0 && cap > running && !wantsMore;
        long every = eager || worksAgain || isReturning()
                ? EAGER_NANOS
                : hasIdlePermits
                        ? UNUSED_PERMIT_NANOS
                        : used || running > 0 || waiting > 0 || held ? ACTIVE_NANOS : IDLE_NANOS;
        long next = requestedNanos + every - now;
        if (held) { // the limit is requested again as soon as the pause ends
            next = Math.min(next, Math.max(heldUntilNanos + 1, requestedNanos + EAGER_NANOS) - now);
        }
        return Math.max(0, next);
    }

    /**
     * Called when the concurrency of the worker has changed. The worker stops using permits for which it has no handlers any more, and its
     * next request returns them.
     */
    void scaled(int handlers) {
        if (running >= cap && handlers > cap) {
            wantsMore = true; // there may be more jobs than were claimed so far; the next claim shows it
        }
        cap = Math.min(cap, handlers);
        eager = true;
    }

    /** {@return whether the worker has decided to return permits, and no running job uses them} */
    boolean isReturning() {
        return Math.max(cap, running) < share;
    }

    /**
     * @param handlers the worker's concurrency
     * @param mayRunMore whether the worker recently had an idle handler while its claims were not paused
     * @return the request
     */
    LimitSource.Request request(int handlers, boolean mayRunMore, long now) {
        requestedNanos = now;
        eager = false;
        used = false;
        int least = Math.max(1, running);
        canUse = mayRunMore;
        boolean requestsMore = mayRunMore && (wantsMore || (cap <= running && waiting > 0));
        boolean probes = cap == 0 && mayRunMore && now - probedNanos >= PROBE_NANOS;
        if (probes) {
            probedNanos = now;
        }
        int wanted =
                cap < share ? Math.max(cap, running) : requestsMore ? Math.max(handlers, least) : Math.max(cap, least);
        return new LimitSource.Request(
                subject,
                wanted,
                requestsMore || probes,
                rated && mayRunMore ? startsWanted(now) : 0, // without a free handler, the starts would expire unused
                rated && liveStarts(now) < largest() ? largest() : 1);
    }

    /**
     * The number of starts to request. If the current starts are too few for the most expensive waiting job, the request covers at least
     * the whole cost of that job, because the current starts expire before more are allocated.
     */
    private int startsWanted(long now) {
        long sum = waitingStarts;
        for (Map.Entry<Integer, Integer> each : costs.tailMap(mostStarts, false).entrySet()) {
            sum -= (long) (each.getKey() - mostStarts) * each.getValue(); // a job uses at most the starts of one period
        }
        long least = waiting > 0 && liveStarts(now) < largest() ? largest() : 0;
        return (int) Math.min(Integer.MAX_VALUE, Math.max(least, sum - liveStarts(now)));
    }

    /**
     * Takes over an allocation.
     *
     * @param handlers how many jobs of the limit the worker can run at once
     * @return whether more jobs may start than before
     */
    boolean allocated(Allocation allocated, int handlers, long sent, long now) {
        int before = free(1, now);
        int had = liveStarts(now);
        boolean was = known;
        known = true;
        limited = allocated.limited();
        trying = allocated.trying();
        held = !allocated.held().isZero();
        heldUntilNanos = sent + allocated.held().toNanos();
        counted = allocated.permits() != null;
        if (allocated.permits() != null) {
            permits(allocated.permits(), handlers, sent, now);
        } else {
            share = 0;
            cap = 0;
        }
        rated = allocated.starts() != null;
        if (allocated.starts() != null) {
            starts(allocated.starts(), sent, now);
        }
        return !was || free(1, now) > before || (rated && liveStarts(now) > had);
    }

    /** Adds starts. Starts that the worker already has keep their expiry, which then applies to all. */
    private void starts(Allocation.Starts allocated, long sent, long now) {
        startsGoodForNanos = allocated.goodFor().toNanos();
        long end = sent + startsGoodForNanos;
        if (starts == 0 || now - startsEndNanos >= 0) {
            starts = 0;
            startsEndNanos = end;
        }
        starts += allocated.now();
        nextStartNanos = now + allocated.next().toNanos();
        startsASecond = allocated.aSecond();
        mostStarts = allocated.most();
    }

    /** Stops using permits that are to be returned; the next request returns them. */
    private void permits(Allocation.Permits permits, int handlers, long sent, long now) {
        share = permits.share();
        shareEndNanos = sent + SHARE_NANOS;
        int down = Math.min(Math.min(share, permits.fair()), handlers);
        wanted = permits.wanted();
        boolean uses = (wantsMore && canUse) || hasJobsForIt(now);
        if (wanted > 0 && !uses && cap > 0 && now - capSinceNanos > UNUSED_PERMIT_NANOS) {
            down = Math.min(down, share - permits.wanted());
        }
        if (permits.wanted() > 0 && share == 1 && now - capSinceNanos > ROTATION_NANOS) {
            down = 0; // if there are fewer permits than workers, the workers take turns
        }
        int next = Math.max(0, down);
        if ((cap == 0) != (next == 0)) {
            capSinceNanos = now;
        }
        cap = next;
    }

    /** {@return whether jobs wait for permits of this limit, and not for anything else} */
    private boolean hasJobsForIt(long now) {
        return waiting > 0 && (running >= cap || now - movedNanos <= UNUSED_PERMIT_NANOS);
    }

    /** {@return whether no job will start for some time} */
    boolean isExhausted(long now) {
        if (!limited) {
            return false;
        }
        boolean isPaused = held && heldUntilNanos - now > EXHAUSTED_NANOS;
        boolean hasNoPermit = counted && cap == 0 && now - capSinceNanos > EXHAUSTED_NANOS;
        boolean hasNoStart = rated && liveStarts(now) == 0 && nextStartNanos - now > EXHAUSTED_NANOS;
        boolean isStuck = waiting > 0 && free(largest(), now) == 0 && now - movedNanos > EXHAUSTED_NANOS;
        return isPaused || hasNoPermit || hasNoStart || isStuck;
    }

    /** Pauses the limit until this time, because a resource of its jobs is unavailable. */
    void unavailable(long until) {
        held = true;
        known = true;
        limited = true;
        heldUntilNanos = until;
        trying = true;
    }

    boolean isTrying() {
        return trying;
    }

    /** {@return whether the resource is newly known to be available} */
    boolean worksAgain(long now) {
        if (!trying || isHeld(now) || worksAgain) {
            return false;
        }
        worksAgain = true;
        return true;
    }

    /** Repeats a failed report, unless the limit is paused again. */
    void worksAgainNotReported(long now) {
        worksAgain |= !isHeld(now);
    }

    /** {@return whether no report or return of permits is pending, and permits were requested after this time} */
    boolean isSettledSince(long nanos) {
        return !worksAgain && !eager && !isReturning() && requestedNanos - nanos > 0;
    }

    /** {@return whether to report that the resource is available} The next call returns false, unless there is a new report. */
    boolean takeWorksAgain() {
        boolean taken = worksAgain;
        worksAgain = false;
        return taken;
    }
}
