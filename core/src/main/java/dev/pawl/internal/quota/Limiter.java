package dev.pawl.internal.quota;

import java.util.List;

/** The limits that a job must pass to start, all of them or none. Thread-safe. */
public final class Limiter {
    /** It may start at any time. */
    public static final long ANY_TIME = Long.MIN_VALUE;

    /** It may not enter. */
    public static final long REFUSED = Long.MIN_VALUE + 1;

    private final LocalLimits localLimits;
    private final List<LocalLimit> all;

    Limiter(LocalLimits localLimits, List<LocalLimit> all) {
        this.localLimits = localLimits;
        this.all = all;
    }

    List<LocalLimit> localLimits() {
        return all;
    }

    /** {@return whether every job may pass} */
    boolean isOpen() {
        return all.isEmpty();
    }

    /**
     * A job that waits starts, if it may. Then {@link #leave} is to be called when it has ended.
     *
     * @param cost how many starts it takes where there is a rate
     * @return until when it must have started, by {@link System#nanoTime}: what it was allowed to do is over then, and it is to
     *     leave and to enter again; {@link #ANY_TIME} if it may start at any time, {@link #REFUSED} if it may not enter
     */
    public long acquire(int cost) {
        return localLimits.acquire(this, cost);
    }

    /** {@return whether more jobs should be claimed: one that had entered has ended, and few wait to enter} */
    public boolean release() {
        return localLimits.release(this);
    }

    /**
     * @param cost of each
     * @return how many jobs could enter now
     */
    public int free(int cost) {
        return localLimits.free(this, cost);
    }

    /**
     * @param cost of each
     * @return how many jobs could enter now, or when the next starts are dealt, if that is in a moment
     */
    public int near(int cost) {
        return localLimits.near(this, cost);
    }

    /** {@return the largest cost of a job that waits and could enter now, if it needs several starts; else 1} */
    public int maxCost() {
        return localLimits.maxCost(this);
    }

    /** {@return how many of the jobs that wait may enter in the next moment, as others leave} */
    public int soon() {
        return localLimits.soon(this);
    }

    /**
     * More jobs wait to enter. One that enters waits no more.
     *
     * @param cost how many starts each of them takes where there is a rate
     * @param jobs how many
     */
    public void enqueue(int cost, int jobs) {
        localLimits.waiting(this, cost, jobs);
    }

    /**
     * A job does not wait any more, although it has not entered.
     *
     * @param cost as it was told
     */
    public void dequeue(int cost) {
        localLimits.waiting(this, cost, -1);
    }

    /** {@return whether nothing will enter for a while, so that what waits is better given back} */
    public boolean isExhausted() {
        return localLimits.isExhausted(this);
    }
}
