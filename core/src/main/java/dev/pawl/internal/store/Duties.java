package dev.pawl.internal.store;

import java.util.List;

/** The duties of a queue's workers that are not the engine's own. */
@FunctionalInterface
public interface Duties {
    /**
     * @param worker that will run them
     * @return new ones for this worker
     */
    List<Duty> of(WorkerContext worker);
}
