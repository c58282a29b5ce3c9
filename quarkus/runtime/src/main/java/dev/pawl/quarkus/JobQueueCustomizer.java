package dev.pawl.quarkus;

import dev.pawl.JobQueueBuilder;

/** Changes the application's queue, for options that have no property. All beans of this type are called, in no particular order. */
@FunctionalInterface
public interface JobQueueCustomizer {
    /**
     * Called once, before it is opened, after the properties were applied.
     *
     * @param queue to be changed
     */
    void customize(JobQueueBuilder queue);
}
