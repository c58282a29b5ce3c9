package dev.pawl.internal.quota;

import java.util.List;

/**
 * The limits that jobs of a queue and kind must pass to start, all of them or none. Shared by these jobs, hence not a permit of one.
 * Thread-safe.
 */
public final class Limiter {
    /** The job may start at any time. */
    public static final long ANY_TIME = Long.MIN_VALUE;

    /** The job may not start now. */
    public static final long REFUSED = Long.MIN_VALUE + 1;

    private final LocalLimits limits;
    private final List<LocalLimit> all;

    Limiter(LocalLimits limits, List<LocalLimit> all) {
        this.limits = limits;
        this.all = all;
    }

    List<LocalLimit> limits() {
        return all;
    }

    /** {@return whether there is no limit to pass} */
    boolean isOpen() {
        return all.isEmpty();
    }

    /**
     * Lets a waiting job start, if the limits allow it. Then {@link #release} must be called when it has finished.
     *
     * @param cost how many starts of a rate limit it takes
     * @return until when it must have started, by {@link System#nanoTime}; after that it must release and acquire again. {@link #ANY_TIME}
     *     if there is no such bound, {@link #REFUSED} if it may not start
     */
    public long acquire(int cost) {
        return limits.acquire(this, cost);
    }

    /**
     * Releases what a finished job has acquired.
     *
     * @return whether more jobs should be claimed, because few wait
     */
    public boolean release() {
        return limits.release(this);
    }

    /**
     * @param cost of each
     * @return how many jobs could start now
     */
    public int free(int cost) {
        return limits.free(this, cost);
    }

    /**
     * @param cost of each
     * @return how many jobs could start now, or with the next allocation of starts, if that is a moment away
     */
    public int near(int cost) {
        return limits.near(this, cost);
    }

    /** {@return the largest cost of a waiting job that could start now, if it needs several starts; else 1} */
    public int maxCost() {
        return limits.maxCost(this);
    }

    /** {@return how many waiting jobs may start within a moment, as others finish} */
    public int soon() {
        return limits.soon(this);
    }

    /**
     * Adds waiting jobs. {@link #acquire} removes the one that starts.
     *
     * @param cost how many starts of a rate limit each of them takes
     * @param jobs how many
     */
    public void enqueue(int cost, int jobs) {
        limits.waiting(this, cost, jobs);
    }

    /**
     * Removes a waiting job that has not started.
     *
     * @param cost with which it was added
     */
    public void dequeue(int cost) {
        limits.waiting(this, cost, -1);
    }

    /** {@return whether no job will start for a while, so that waiting ones should be released} */
    public boolean isExhausted() {
        return limits.isExhausted(this);
    }
}
