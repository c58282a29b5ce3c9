package dev.pawl.spring;

import dev.pawl.JobQueueBuilder;

/** A bean that has a say in how the application's queue is opened, after the properties; in order. */
@FunctionalInterface
public interface JobQueueCustomizer {
    /**
     * @param queue to be changed
     */
    void customize(JobQueueBuilder queue);
}
