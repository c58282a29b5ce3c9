package dev.pawl.internal.store;

import java.util.Set;

/**
 * The result of settlements. A lease in neither set is lost.
 *
 * @param accepted recorded
 * @param busy not recorded because the row is locked; still ours, so try again later
 */
public record Settled(Set<Lease> accepted, Set<Lease> busy) {}
