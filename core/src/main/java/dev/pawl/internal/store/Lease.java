package dev.pawl.internal.store;

import org.jspecify.annotations.Nullable;

/**
 * The right to run a job: valid while the job is running with this token. Leases with the same job and token are equal.
 *
 * @param jobId the job
 * @param token drawn by the claim
 * @param of an object by which the claim strategy finds the lease; null for none
 */
public record Lease(long jobId, long token, @Nullable Object of) implements Comparable<Lease> {
    /**
     * @param jobId the job
     * @param token drawn by the claim
     */
    public Lease(long jobId, long token) {
        this(jobId, token, null);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Lease lease && jobId == lease.jobId && token == lease.token;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(jobId) * 31 + Long.hashCode(token);
    }

    @Override
    public String toString() {
        return "Lease[jobId=" + jobId + ", token=" + token + "]";
    }

    /** Orders leases by job. Every statement locks rows in this order, which avoids deadlocks. */
    @Override
    public int compareTo(Lease other) {
        int byJob = Long.compare(jobId, other.jobId);
        return byJob != 0 ? byJob : Long.compare(token, other.token);
    }
}
