package dev.pawl.internal.feature;

import dev.pawl.internal.store.WorkSource;

/**
 * The next moment at which a source has work for a worker: a part of the statement that a worker sends before it is suspended.
 *
 * @param source of the work
 * @param terms adds to the statement
 */
public record WorkMoment(WorkSource source, Terms terms) {
    /** Adds one or more terms. */
    @FunctionalInterface
    public interface Terms {
        /** @param query gets the terms; none if the source has nothing for this worker */
        void addTo(MomentQuery query);
    }
}
