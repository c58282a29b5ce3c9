package dev.pawl.spring;

import dev.pawl.JobQueueBuilder;

/** A bean that customizes the application's queue before it is opened, after the properties; ordered. */
@FunctionalInterface
public interface JobQueueCustomizer {
    /** @param queue to customize */
    void customize(JobQueueBuilder queue);
}
