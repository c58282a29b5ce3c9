package dev.pawl.internal.store;

import org.jspecify.annotations.Nullable;

/**
 * A lease to renew.
 *
 * @param lease the lease
 * @param progress percentage to store, 0 to 100; null to keep the stored value
 */
public record LeaseRenewal(Lease lease, @Nullable Integer progress) {}
