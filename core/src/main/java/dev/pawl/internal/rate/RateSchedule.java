package dev.pawl.internal.rate;

import dev.pawl.limit.Rate;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * The times of starts, at equal intervals. In any period of length {@code rate.per()}, there are never more than {@code rate.starts()}
 * starts. But unused starts may be used shortly afterwards ({@link #burst}), and a worker may use its starts for a short time after their
 * allocation ({@link
 * #goodFor}). So the interval is the period plus these two times, divided by the number of starts. Starts that a worker may use for longer,
 * because responses reach it late, are remembered one by one ({@link CostlyStarts}).
 *
 * @param rate the setting
 * @param extra how much longer than usual starts may be used after their allocation, in microseconds
 */
record RateSchedule(Rate rate, long extra) {
    private static final long VALIDITY_DIVISOR = 20;
    private static final long SHORTEST = Duration.ofMillis(100).toNanos() / 1000;
    private static final long LONGEST = Duration.ofSeconds(1).toNanos() / 1000;

    /** A schedule with the usual validity of starts. */
    RateSchedule(Rate rate) {
        this(rate, 0);
    }

    /** {@return a copy for a worker that needs this validity, up to a limit} */
    RateSchedule goodFor(Duration validity) {
        long longest = Math.min(validity.toNanos(), Bucket.LONGEST_VALIDITY.toNanos()) / 1000;
        return new RateSchedule(rate, Math.max(0, longest - usual()));
    }

    /**
     * @param count how many may start now
     * @param next the next start
     */
    record Taken(int count, long next) {}

    /** {@return how long allocated starts may be used, in microseconds} */
    long goodFor() {
        return usual() + extra;
    }

    private long usual() {
        return Math.max(SHORTEST, Math.min(perMicros() / VALIDITY_DIVISOR, LONGEST));
    }

    /** {@return the maximum number of starts in a period} */
    int maxStarts() {
        return rate.starts();
    }

    /**
     * {@return how long an allocated start counts, in microseconds} It is longer than the period, because a start may
     * be used a little later than its allocation. Starts that may be used for longer count as if they were allocated
     * later.
     */
    long windowMicros() {
        return perMicros() + burst() + usual();
    }

    private long burst() {
        return usual();
    }

    /** {@return the interval between two starts, in microseconds, rounded up} */
    long interval() {
        return Math.floorDiv(windowMicros(), rate.starts()) + 1;
    }

    private long perMicros() {
        return rate.per().toNanos() / 1000;
    }

    /**
     * @param next the next start, as stored
     * @param now the current time
     * @param wanted how many starts the worker would use
     * @return the permitted starts, up to the wanted number
     */
    Taken take(long next, long now, int wanted) {
        int count = Math.min(wanted, between(next, now, 0));
        return new Taken(count, count == 0 ? next : after(next, now, count));
    }

    /** {@return the number of starts from {@code next} to {@code now + ahead}; times in microseconds} */
    int between(long next, long now, long ahead) {
        long from = Math.max(next, now - burst());
        long end = now + ahead;
        return from > end ? 0 : (int) Math.min(Integer.MAX_VALUE, (end - from) / interval() + 1);
    }

    /** {@return the time of the start that follows this number of starts} */
    long after(long next, long now, int starts) {
        return Math.max(next, now - burst()) + starts * interval();
    }

    /**
     * Takes starts for a job that needs several together. All are taken at the time of the first one, including starts that elapsed while
     * the job waited.
     *
     * @param next the next start, as stored
     * @param now the current time
     * @param wanted how many starts the worker would use, at most {@link CostlyStarts#room}
     * @param together how many of them one job needs
     * @return the permitted starts: a multiple of {@code together}, or 0
     */
    Taken takeTogether(long next, long now, int wanted, int together) {
        long from = Math.max(next, now - Math.max(burst(), together * interval()));
        long due = from > now ? 0 : (now - from) / interval() + 1;
        int count = due == 0 || wanted < together ? 0 : (int) Math.min(wanted, Math.max(due, together));
        count -= count % together; // otherwise the remainder would be lost
        return new Taken(count, count == 0 ? next : from + count * interval());
    }

    /** {@return the time until the next start} */
    static Duration until(long next, long now) {
        return Duration.of(Math.max(0, next - now), ChronoUnit.MICROS);
    }

    /** {@return the maximum rate of starts} */
    double perSecond() {
        return 1e6 / interval();
    }
}
