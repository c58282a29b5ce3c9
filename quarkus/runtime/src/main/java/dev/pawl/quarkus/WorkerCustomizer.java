package dev.pawl.quarkus;

import dev.pawl.WorkerBuilder;

/** Changes the application's worker, for options that have no property. All beans of this type are called, in no particular order. */
@FunctionalInterface
public interface WorkerCustomizer {
    /**
     * Called for each {@link WorkerLifecycle#builder builder}, after the properties were applied and the handlers added.
     *
     * @param worker to be changed
     */
    void customize(WorkerBuilder worker);
}
