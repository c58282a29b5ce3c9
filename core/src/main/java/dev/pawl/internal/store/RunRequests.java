package dev.pawl.internal.store;

import java.util.Set;

/**
 * Requests of users concerning runs.
 *
 * @param toStop runs whose cancellation was requested
 * @param forStacks runs, also of other workers, whose stack trace was requested
 */
public record RunRequests(Set<Lease> toStop, Set<Lease> forStacks) {
    /** No requests. */
    public static final RunRequests NOTHING = new RunRequests(Set.of(), Set.of());
}
