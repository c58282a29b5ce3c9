package dev.pawl.internal.store;

import org.jspecify.annotations.Nullable;

/**
 * A lease to renew.
 *
 * @param lease the lease
 * @param progress 0 to 100 to write with it; null leaves the stored value
 */
public record LeaseRenewal(Lease lease, @Nullable Integer progress) {}
