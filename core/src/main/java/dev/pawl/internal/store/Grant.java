package dev.pawl.internal.store;

import dev.pawl.Job;

/**
 * What a claim has won: a job that this process may run, and the lease under which it may.
 *
 * @param job as it stands after the claim
 * @param lease under which it may run
 */
public record Grant(Job job, Lease lease) {
    /**
     * @param job as it stands after the claim
     */
    public Grant(Job job) {
        this(job, new Lease(job.id(), job.leaseToken()));
    }
}
