package dev.pawl.internal.store;

import dev.pawl.api.Job;

/**
 * The result of a claim: a job that this process may run, and its lease.
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
