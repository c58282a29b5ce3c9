package dev.pawl.internal.key;

import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Delays releasing keys while many more of their jobs are about to finish, so that one transaction releases them all. A release has a
 * commit of its own, and reads and writes as much for one job of a key as for ten. Jobs that are once recorded in two parts stay apart:
 * each part is released, run and recorded separately from then on, with twice as many transactions. The delay merges the parts again. No
 * handler becomes idle: while that many jobs are about to finish, the handlers have enough to do. Not thread-safe.
 */
final class ReleaseDelay {
    /** Longer than recording a full batch takes, unless something delays it. */
    static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(20);

    /** Fewer jobs are not worth a delay. */
    static final int MIN_JOBS = 100;

    private final IntSupplier coming;
    private int ended;
    private long sinceNanos;

    /**
     * @param coming how many keyed jobs are about to finish
     */
    ReleaseDelay(IntSupplier coming) {
        this.coming = coming;
    }

    /** Adds finished jobs. */
    void ended(int jobs, long nowNanos) {
        if (ended == 0) {
            sinceNanos = nowNanos;
        }
        ended += jobs;
    }

    /** {@return how long the release waits for further jobs; zero if it is due} */
    long remaining(long nowNanos) {
        if (ended == 0) {
            return 0;
        }
        int soon = coming.getAsInt();
        return soon < MIN_JOBS || soon <= ended ? 0 : Math.max(0, sinceNanos + LONGEST - nowNanos);
    }

    /** Their keys are released. */
    void reset() {
        ended = 0;
    }
}
