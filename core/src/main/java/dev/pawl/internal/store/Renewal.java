package dev.pawl.internal.store;

import java.util.Set;

/**
 * What a renewal found.
 *
 * @param renewed leases that are extended
 * @param lost leases that are gone: the job is finished, rescued or claimed anew
 * @param cancelRequested those of {@code renewed} whose job was asked to stop
 */
public record Renewal(Set<Lease> renewed, Set<Lease> lost, Set<Lease> cancelRequested) {}
