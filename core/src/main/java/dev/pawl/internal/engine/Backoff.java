package dev.pawl.internal.engine;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Exponential backoff between a minimum and a maximum, with ±20 % jitter. Confined to one thread. */
final class Backoff {
    private final long shortest;
    private final long longest;
    private long next;

    Backoff(long shortestMillis, long longestMillis) {
        this.shortest = TimeUnit.MILLISECONDS.toNanos(Math.min(shortestMillis, longestMillis));
        this.longest = TimeUnit.MILLISECONDS.toNanos(longestMillis);
        this.next = shortest;
    }

    /** {@return the next delay in nanoseconds} */
    long next() {
        long wait = next;
        next = Math.min(longest, next * 2);
        return (long) (wait * ThreadLocalRandom.current().nextDouble(0.8, 1.2));
    }

    /** Starts again at the minimum. */
    void reset() {
        next = shortest;
    }
}
