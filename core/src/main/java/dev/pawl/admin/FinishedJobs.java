package dev.pawl.admin;

/**
 * The finished jobs of a queue that are still kept, counted.
 *
 * @param queue its name
 * @param completed jobs completed
 * @param cancelled jobs cancelled
 * @param discarded jobs discarded
 */
public record FinishedJobs(String queue, long completed, long cancelled, long discarded) {}
