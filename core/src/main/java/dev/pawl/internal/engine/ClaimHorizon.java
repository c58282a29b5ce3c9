package dev.pawl.internal.engine;

import java.util.concurrent.TimeUnit;

/**
 * How much work, measured in time, a worker claims ahead, and for how much of it the starts are logged ahead. A tenth of a second is enough
 * while claims are quick. Where they are slow, because there are many workers or the database is far away, the worker claims more at a
 * time, and so less often. Thread-safe.
 */
final class ClaimHorizon {
    static final long MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** A worker claims again when half of its jobs are taken. So claims take about 4 % of its time, or more at {@link #MAX_NANOS}. */
    private static final int TIMES = 50;

    private static final int MEMORY = 4;

    private double meanNanos;

    /**
     * Learns from a claim, or from a write of starts.
     *
     * @param tookNanos its duration
     * @param last whether it got the last waiting jobs; other workers may then be idle, so this one goes back to the minimum
     */
    synchronized void claimed(long tookNanos, boolean last) {
        meanNanos = last ? 0 : meanNanos + (tookNanos - meanNanos) / MEMORY;
    }

    synchronized long nanos() {
        return Math.min(MAX_NANOS, Math.max(MIN_NANOS, (long) (TIMES * meanNanos)));
    }
}
