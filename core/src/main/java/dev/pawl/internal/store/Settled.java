package dev.pawl.internal.store;

import java.util.Set;

/**
 * What became of settlements. A lease in neither set is lost.
 *
 * @param accepted recorded
 * @param busy not recorded because somebody has the row locked; still ours, so try again later
 */
public record Settled(Set<Lease> accepted, Set<Lease> busy) {}
