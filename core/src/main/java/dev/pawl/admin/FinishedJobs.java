package dev.pawl.admin;

/**
 * How many finished jobs of a queue are still kept.
 *
 * @param queue its name
 * @param completed jobs completed
 * @param cancelled jobs cancelled
 * @param discarded jobs discarded
 */
public record FinishedJobs(String queue, long completed, long cancelled, long discarded) {}
