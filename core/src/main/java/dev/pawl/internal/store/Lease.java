package dev.pawl.internal.store;

/**
 * The right to run a job: valid while the job is running and its token is this one.
 *
 * @param jobId the job
 * @param token drawn by the claim
 */
public record Lease(long jobId, long token) implements Comparable<Lease> {
    /** By job: every statement locks rows in this order, so that two of them cannot deadlock. */
    @Override
    public int compareTo(Lease other) {
        int byJob = Long.compare(jobId, other.jobId);
        return byJob != 0 ? byJob : Long.compare(token, other.token);
    }
}
