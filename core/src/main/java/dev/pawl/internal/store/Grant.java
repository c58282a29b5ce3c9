package dev.pawl.internal.store;

import dev.pawl.Job;

/**
 * What a claim has won: a job that this process may run, and the lease under which it may.
 *
 * @param job as it stands after the claim
 */
public record Grant(Job job) {
    /** {@return the lease under which it may run} */
    public Lease lease() {
        return new Lease(job.id(), job.leaseToken());
    }
}
