package dev.pawl.internal.quota;

import java.util.List;

/** The limits that a job must pass to start, all of them or none. Thread-safe. */
public final class Gate {
    /** It may start at any time. */
    public static final long ANY_TIME = Long.MIN_VALUE;

    /** It may not enter. */
    public static final long REFUSED = Long.MIN_VALUE + 1;

    private final Quotas quotas;
    private final List<Quota> all;

    Gate(Quotas quotas, List<Quota> all) {
        this.quotas = quotas;
        this.all = all;
    }

    List<Quota> quotas() {
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
    public long enter(int cost) {
        return quotas.enter(this, cost);
    }

    /** {@return whether more jobs should be claimed: one that had entered has ended, and few wait to enter} */
    public boolean leave() {
        return quotas.leave(this);
    }

    /**
     * @param cost of each
     * @return how many jobs could enter now
     */
    public int free(int cost) {
        return quotas.free(this, cost);
    }

    /**
     * @param cost of each
     * @return how many jobs could enter now, or when the next starts are dealt, if that is in a moment
     */
    public int near(int cost) {
        return quotas.near(this, cost);
    }

    /** {@return the largest cost of a job that waits and could enter now, if it needs several starts; else 1} */
    public int dear() {
        return quotas.dear(this);
    }

    /** {@return how many of the jobs that wait may enter in the next moment, as others leave} */
    public int soon() {
        return quotas.soon(this);
    }

    /**
     * More jobs wait to enter. One that enters waits no more.
     *
     * @param cost how many starts each of them takes where there is a rate
     * @param jobs how many
     */
    public void joined(int cost, int jobs) {
        quotas.waiting(this, cost, jobs);
    }

    /**
     * A job does not wait any more, although it has not entered.
     *
     * @param cost as it was told
     */
    public void waitsNoMore(int cost) {
        quotas.waiting(this, cost, -1);
    }

    /** {@return whether nothing will enter for a while, so that what waits is better given back} */
    public boolean isShut() {
        return quotas.isShut(this);
    }
}
