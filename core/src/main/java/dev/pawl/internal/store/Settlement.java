package dev.pawl.internal.store;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of the run under a lease.
 *
 * @param lease the lease
 * @param verdict on the run
 * @param batch the job's batch; 0 for none
 */
public record Settlement(Lease lease, Verdict verdict, long batch) {
    /**
     * The outcome of a run whose job has no batch.
     *
     * @param lease the lease
     * @param verdict on the run
     */
    public Settlement(Lease lease, Verdict verdict) {
        this(lease, verdict, 0);
    }

    /** {@return the result of the run; null for none} */
    public @Nullable String result() {
        return verdict instanceof Verdict.Completed completed ? completed.result() : null;
    }
}
