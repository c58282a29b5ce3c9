package dev.pawl.internal.store;

import dev.pawl.Job;

/**
 * A job that this process may run.
 *
 * @param job as it stands after the claim
 */
public record ClaimedJob(Job job) {
    /** {@return the lease under which it may run} */
    public Lease lease() {
        return new Lease(job.id(), job.leaseToken());
    }
}
