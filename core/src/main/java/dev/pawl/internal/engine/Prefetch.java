package dev.pawl.internal.engine;

import java.util.concurrent.TimeUnit;

/**
 * Decides how many jobs to claim: one for each idle handler, plus the number of jobs that the handlers will finish within a moment, limited
 * by the bounds of the buffer. Fast jobs fill the buffer; slow ones are left for other workers. Thread-safe.
 */
final class Prefetch {
    private static final int GROWTH = 4;
    private static final int SHRINK = 16;
    private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Bounds bounds;
    private final HandlerRate handlerRate;
    private final ClaimHorizon horizon = new ClaimHorizon();
    private int lastWanted;
    private double meanSize;
    /** Mean capacity that a job uses. */
    private double meanCapacity = 1;

    private int divisor = 1;

    /**
     * @param jobs that may wait for a handler, in units of capacity
     * @param bytes of payload that may wait for a handler
     * @param batch the largest claim
     */
    record Bounds(int jobs, long bytes, int batch) {}

    Prefetch(Bounds bounds, HandlerRate handlerRate) {
        this.bounds = bounds;
        this.handlerRate = handlerRate;
    }

    /**
     * @param level of the buffer now
     * @param nowNanos the current time
     * @return how many jobs to claim, zero if enough are waiting
     */
    synchronized int wanted(Buffer.Level level, long nowNanos) {
        int idle = level.idle() - Math.min(level.idle(), level.buffered());
        int target = target(level, nowNanos);
        boolean enough = idle == 0 && level.buffered() > target / 2;
        int missing = level.idle() + target - level.buffered();
        if (enough || missing <= 0) {
            return 0;
        }
        int most = Math.max(1, Math.min(bounds.batch, bounds.batch / divisor));
        lastWanted = Math.min(Math.min(jobs(missing), most), besideLimited(level));
        return lastWanted;
    }

    /**
     * Bounds the jobs that wait for a limit. They use memory and leases, but must not reduce claims of other jobs. At least one per handler
     * may wait, even with a small buffer.
     *
     * @return how many more jobs there may be
     */
    private int besideLimited(Buffer.Level level) {
        if (level.limited() == 0) {
            return Integer.MAX_VALUE;
        }
        int most = level.idle() + Math.max(bounds.jobs, handlerRate.handlers());
        return level.bytes() >= bounds.bytes ? 0 : Math.max(0, most - level.buffered() - level.limited());
    }

    /** {@return how many jobs are likely to use this capacity; at least one unless the capacity is zero} */
    synchronized int jobs(int capacity) {
        return capacity <= 0 ? 0 : Math.max(1, (int) (capacity / meanCapacity));
    }

    /** Grows gradually, so that the first quick runs of a slow kind do not fill the buffer. */
    private int target(Buffer.Level level, long nowNanos) {
        int known = Math.min(bounds.jobs, handlerRate.ahead(horizon.nanos(), nowNanos));
        int grown = Math.min(known, GROWTH * Math.max(handlerRate.handlers(), lastWanted));
        if (meanSize < 1) {
            return grown;
        }
        double fitting = level.buffered() + (bounds.bytes - level.bytes()) / meanSize * meanCapacity;
        return (int) Math.max(0, Math.min(grown, fitting));
    }

    /** Learns the mean size of payloads: an increase counts at once, a decrease gradually. */
    synchronized void claimed(int jobs, long bytes) {
        if (jobs > 0) {
            double size = (double) bytes / jobs;
            meanSize = size > meanSize ? size : meanSize + (size - meanSize) / 8;
            divisor = Math.max(1, divisor / 2);
        }
    }

    /** Learns how long claims take, and whether one got the last jobs. */
    void claimTook(long nanos, boolean last) {
        horizon.claimed(nanos, last);
    }

    /** Learns the mean capacity of jobs, as {@link #claimed} learns their size. */
    synchronized void weighed(int jobs, int capacity) {
        if (jobs > 0) {
            double each = (double) capacity / jobs;
            meanCapacity = each > meanCapacity ? each : meanCapacity + (each - meanCapacity) / 8;
        }
    }

    /** Reduces claims after one that was too large for this process. */
    synchronized void tooMuch() {
        divisor = Math.min(bounds.batch, divisor * SHRINK);
    }

    /** {@return how many jobs the handlers will finish within a moment} */
    synchronized int ahead(long nowNanos) {
        return jobs(capacityAhead(nowNanos));
    }

    /** {@return how much capacity the handlers will free within a moment} */
    synchronized int capacityAhead(long nowNanos) {
        return Math.min(bounds.jobs, handlerRate.ahead(horizon.nanos(), nowNanos));
    }

    /** {@return whether the handlers will finish this many jobs and the waiting ones within a moment} */
    synchronized boolean isSoon(Buffer.Level level, int jobs, long nowNanos) {
        return level.buffered() + jobs * meanCapacity <= handlerRate.ahead(ClaimHorizon.MIN_NANOS, nowNanos);
    }

    /** {@return whether the waiting jobs should be released, because no handler has taken one for some time} */
    synchronized boolean isTooLong(Buffer.Level level, long nowNanos) {
        return level.kept()
                ? level.buffered() > level.large() && handlerRate.isStuck(level.large(), STUCK_NANOS, nowNanos)
                : level.buffered() + level.large() > 0 && handlerRate.isStuck(STUCK_NANOS, nowNanos);
    }
}
