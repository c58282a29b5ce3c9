package dev.pawl.spring;

import dev.pawl.WorkerBuilder;

/**
 * A bean that customizes the application's worker, after the properties and all handlers were applied. Such beans are called in their
 * order. The starters then add the beans of type {@link dev.pawl.api.RunInterceptor}, which run inside the interceptors that a customizer
 * adds.
 */
@FunctionalInterface
public interface WorkerCustomizer {
    /**
     * Called each time a worker is about to start.
     *
     * @param worker to customize
     */
    void customize(WorkerBuilder worker);
}
