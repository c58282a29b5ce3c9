package dev.pawl.internal.store;

import java.util.Set;

/**
 * The result of settlements. A lease in neither set is lost.
 *
 * @param accepted leases whose outcome is recorded
 * @param locked leases that are still ours, but whose row is locked; the caller should try again later
 */
public record Settled(Set<Lease> accepted, Set<Lease> locked) {}
