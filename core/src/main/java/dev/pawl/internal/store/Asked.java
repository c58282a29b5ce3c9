package dev.pawl.internal.store;

import java.util.Set;

/**
 * What people want of runs.
 *
 * @param toStop runs that somebody has asked to stop
 * @param forStacks runs of which somebody wants to see what they do, of any worker
 */
public record Asked(Set<Lease> toStop, Set<Lease> forStacks) {
    /** Nothing. */
    public static final Asked NOTHING = new Asked(Set.of(), Set.of());
}
