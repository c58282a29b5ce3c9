package dev.pawl.internal.engine;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** A wait that doubles from a shortest to a longest one, with jitter of ±20 %. Used by one thread. */
final class Backoff {
    private final long shortest;
    private final long longest;
    private long next;

    Backoff(long shortestMillis, long longestMillis) {
        this.shortest = TimeUnit.MILLISECONDS.toNanos(Math.min(shortestMillis, longestMillis));
        this.longest = TimeUnit.MILLISECONDS.toNanos(longestMillis);
        this.next = shortest;
    }

    /** {@return the nanoseconds to wait now} */
    long next() {
        long wait = next;
        next = Math.min(longest, next * 2);
        return (long) (wait * ThreadLocalRandom.current().nextDouble(0.8, 1.2));
    }

    /** Starts again with the shortest wait. */
    void reset() {
        next = shortest;
    }
}
