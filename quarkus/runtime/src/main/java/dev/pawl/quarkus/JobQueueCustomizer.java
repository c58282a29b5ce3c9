package dev.pawl.quarkus;

import dev.pawl.JobQueueBuilder;

/** Changes the application's queue, for options that have no property. All beans of this type are called, in no particular order. */
@FunctionalInterface
public interface JobQueueCustomizer {
    /**
     * Called once, after the properties were applied and before the queue is opened.
     *
     * @param queue to be changed
     */
    void customize(JobQueueBuilder queue);
}
