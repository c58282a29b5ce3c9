package dev.pawl.internal.store;

import java.util.Set;

/**
 * What a renewal found. A lease in none of the sets belongs to a row that somebody has locked.
 *
 * @param renewed leases that are extended
 * @param taken leases that another claim has replaced: surely lost
 * @param gone leases whose job is no longer running: finished, put back, or completed by its handler's own transaction
 *     a moment before the handler's thread knows it
 * @param cancelRequested those of {@code renewed} whose job was asked to stop
 */
public record Renewal(Set<Lease> renewed, Set<Lease> taken, Set<Lease> gone, Set<Lease> cancelRequested) {}
