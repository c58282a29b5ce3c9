package dev.pawl.internal.store;

import org.jspecify.annotations.Nullable;

/**
 * How the run under a lease ended.
 *
 * @param lease the lease
 * @param verdict what to do with the job
 * @param batch the batch that its job belongs to; 0 for none
 */
public record Settlement(Lease lease, Verdict verdict, long batch) {
    /**
     * Of a job that belongs to no batch.
     *
     * @param lease the lease
     * @param verdict what to do with the job
     */
    public Settlement(Lease lease, Verdict verdict) {
        this(lease, verdict, 0);
    }

    /** {@return what it gave back; null for nothing} */
    public @Nullable String result() {
        return verdict instanceof Verdict.Completed completed ? completed.result() : null;
    }
}
