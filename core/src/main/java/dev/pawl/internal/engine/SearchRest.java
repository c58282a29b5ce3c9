package dev.pawl.internal.engine;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The pause after a slow search for expired leases. A search is slow where many jobs run or many workers search. Although each worker
 * pauses, many workers together still search often. Used by one thread.
 */
final class SearchRest {
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int TIMES = 50;
    private static final long MAX_REST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final LongSupplier clock;
    private long endNanos;

    SearchRest(LongSupplier clock) {
        this.clock = clock;
        endNanos = clock.getAsLong();
    }

    /**
     * Learns from a search.
     *
     * @param tookNanos its duration
     */
    void searched(long tookNanos) {
        if (tookNanos >= SLOW_NANOS) {
            endNanos = clock.getAsLong() + Math.min(MAX_REST_NANOS, TIMES * tookNanos);
        }
    }

    /** {@return whether the next search may begin} */
    boolean isOver() {
        return clock.getAsLong() - endNanos >= 0;
    }
}
