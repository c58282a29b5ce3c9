package dev.pawl.quarkus;

import dev.pawl.WorkerBuilder;

/** Changes the application's worker, for options that have no property. All beans of this type are called, in no particular order. */
@FunctionalInterface
public interface WorkerCustomizer {
    /**
     * Called for each {@link WorkerLifecycle#builder builder}, after the properties were applied and the handlers added, and before the beans
     * of type {@link dev.pawl.api.RunInterceptor} are added, which run inside the interceptors that a customizer adds.
     *
     * @param worker to be changed
     */
    void customize(WorkerBuilder worker);
}
