package dev.pawl.internal.store;

/**
 * How the run under a lease ended.
 *
 * @param lease the lease
 * @param verdict what to do with the job
 */
public record Settlement(Lease lease, Verdict verdict) {}
