package dev.pawl.internal.store;

import java.util.Set;

/**
 * The result of a renewal. A lease in none of the sets belongs to a locked row.
 *
 * @param renewed leases that are extended
 * @param taken leases that another claim has replaced: certainly lost
 * @param gone leases whose job is no longer running: finished, released, or completed by its handler's own transaction, of which the
 *     handler's thread may not know yet
 * @param cancelRequested those of {@code renewed} whose cancellation was requested
 */
public record Renewal(Set<Lease> renewed, Set<Lease> taken, Set<Lease> gone, Set<Lease> cancelRequested) {}
