package dev.pawl.internal.key;

import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Delays the release of keys while many more keyed jobs are about to finish, so that one transaction releases all their keys. A release has
 * a commit of its own, and reads and writes as much for one job of a key as for ten. Without a delay, jobs that were once recorded in two
 * transactions are also released, run and recorded in two parts from then on, with twice as many transactions. The delay merges the parts
 * again. It leaves no handler idle, because it applies only while many further jobs wait in the worker. Not thread-safe.
 */
final class ReleaseDelay {
    /** Maximum delay. Recording a full batch usually takes less. */
    static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(20);

    /** Minimum number of jobs about to finish for which a delay pays. */
    static final int MIN_JOBS = 100;

    private final IntSupplier coming;
    private int ended;
    private long sinceNanos;

    /**
     * @param coming supplies the number of keyed jobs that are about to finish
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

    /** {@return how many nanoseconds the release waits for further jobs; zero if it is due} */
    long remaining(long nowNanos) {
        if (ended == 0) {
            return 0;
        }
        int soon = coming.getAsInt();
        return soon < MIN_JOBS || soon <= ended ? 0 : Math.max(0, sinceNanos + LONGEST - nowNanos);
    }

    /** Called when the keys of the finished jobs are released. */
    void reset() {
        ended = 0;
    }
}
