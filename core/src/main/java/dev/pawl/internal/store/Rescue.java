package dev.pawl.internal.store;

import java.time.Instant;

/**
 * The settlement of an abandoned run by another worker. The verdict is about the run as it was found. If its worker has renewed the lease
 * since, the verdict does not apply, even if the lease has expired again, because the run may have started.
 *
 * @param lease the expired lease
 * @param expiredAt when the lease expired, as it was found
 * @param verdict on the run
 */
public record Rescue(Lease lease, Instant expiredAt, Verdict verdict) {}
