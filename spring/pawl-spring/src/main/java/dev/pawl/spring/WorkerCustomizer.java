package dev.pawl.spring;

import dev.pawl.WorkerBuilder;

/** A bean that has a say in how the application's worker is built, after the properties and all handlers; in order. */
@FunctionalInterface
public interface WorkerCustomizer {
    /**
     * Called each time a worker is about to start.
     *
     * @param worker to be changed
     */
    void customize(WorkerBuilder worker);
}
