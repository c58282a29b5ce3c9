package dev.pawl.internal.limit;

import dev.pawl.limit.Rate;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * The turns of starts: one after the other, at equal distances. Never more than {@code starts} in any span of length
 * {@code per}, although turns that nobody took are made up for during a short time ({@link #burst}), and a worker may use
 * what it has got for a short time ({@link #goodFor}): so the distance is the span and these two, divided by the starts. What a
 * worker may use for longer, because it hears late of it, is remembered one by one ({@link CostlyStarts}).
 *
 * @param rate what was set
 * @param extra for how much longer than usual what is taken may be used, in microseconds
 */
record RateSchedule(Rate rate, long extra) {
    private static final long PART = 20;
    private static final long SHORTEST = Duration.ofMillis(100).toNanos() / 1000;
    private static final long LONGEST = Duration.ofSeconds(1).toNanos() / 1000;

    /** As usual. */
    RateSchedule(Rate rate) {
        this(rate, 0);
    }

    /** {@return the same for a worker that needs so long, as far as that is allowed} */
    RateSchedule goodFor(Duration asked) {
        long most = Math.min(asked.toNanos(), Bucket.LONGEST_ASKED.toNanos()) / 1000;
        return new RateSchedule(rate, Math.max(0, most - usual()));
    }

    /**
     * @param count how many may start now
     * @param next the next turn
     */
    record Taken(int count, long next) {}

    /** {@return how long what was taken may be used, in microseconds} */
    long goodFor() {
        return usual() + extra;
    }

    private long usual() {
        return Math.max(SHORTEST, Math.min(perMicros() / PART, LONGEST));
    }

    /** {@return how many there are in a span} */
    int most() {
        return rate.starts();
    }

    /**
     * {@return for how long what was taken counts, in microseconds: it may be used a little later than it was taken} What may be used
     * for longer counts as if it was taken later.
     */
    long memory() {
        return perMicros() + burst() + usual();
    }

    private long burst() {
        return usual();
    }

    /** {@return from a turn to the next, in microseconds, rounded up} */
    long distance() {
        return Math.floorDiv(memory(), rate.starts()) + 1;
    }

    private long perMicros() {
        return rate.per().toNanos() / 1000;
    }

    /**
     * @param next the next turn as it was left
     * @param now the present
     * @param wanted how many the worker would start
     * @return as many as have their turn
     */
    Taken take(long next, long now, int wanted) {
        int count = Math.min(wanted, between(next, now, 0));
        return new Taken(count, count == 0 ? next : after(next, now, count));
    }

    /** {@return how many turns there are from the next one, as it was left, until so much after now} */
    int between(long next, long now, long ahead) {
        long from = Math.max(next, now - burst());
        long end = now + ahead;
        return from > end ? 0 : (int) Math.min(Integer.MAX_VALUE, (end - from) / distance() + 1);
    }

    /** {@return the turn that follows so many} */
    long after(long next, long now, int turns) {
        return Math.max(next, now - burst()) + turns * distance();
    }

    /**
     * A job needs several starts together: it takes them at the first of their turns, and turns that passed while it waited count.
     *
     * @param next the next turn as it was left
     * @param now the present
     * @param wanted how many starts the worker would use, as far as there is room
     * @param together how many of them one job needs
     * @return as many as have their turn, for whole jobs, and for one at least; or none
     */
    Taken takeTogether(long next, long now, int wanted, int together) {
        long from = Math.max(next, now - Math.max(burst(), together * distance()));
        long due = from > now ? 0 : (now - from) / distance() + 1;
        int count = due == 0 || wanted < together ? 0 : (int) Math.min(wanted, Math.max(due, together));
        count -= count % together; // what is over would be lost
        return new Taken(count, count == 0 ? next : from + count * distance());
    }

    /** {@return how long until the next turn} */
    static Duration until(long next, long now) {
        return Duration.of(Math.max(0, next - now), ChronoUnit.MICROS);
    }

    double aSecond() {
        return 1e6 / distance();
    }
}
