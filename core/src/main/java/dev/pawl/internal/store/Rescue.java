package dev.pawl.internal.store;

import java.time.Instant;

/**
 * How an abandoned run is ended by somebody else. What was judged is the run as it was found: if its owner has renewed the
 * lease since, the verdict says nothing about it, even if the lease has expired again; it may have begun meanwhile.
 *
 * @param lease the expired lease
 * @param expiredAt when it had expired, as it was found
 * @param verdict what to do with the job
 */
public record Rescue(Lease lease, Instant expiredAt, Verdict verdict) {}
