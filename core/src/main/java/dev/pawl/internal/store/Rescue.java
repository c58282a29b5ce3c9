package dev.pawl.internal.store;

import java.time.Instant;

/**
 * The settlement of an abandoned run by another worker. The verdict is about the run as it was found: if its owner has renewed the lease
 * since, it does not apply, even if the lease has expired again, because the run may have started.
 *
 * @param lease the expired lease
 * @param expiredAt when it had expired, as found
 * @param verdict on the run
 */
public record Rescue(Lease lease, Instant expiredAt, Verdict verdict) {}
