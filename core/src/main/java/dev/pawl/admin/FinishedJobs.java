package dev.pawl.admin;

/**
 * The number of finished jobs of a queue that are still kept.
 *
 * @param queue its name
 * @param completed completed jobs
 * @param cancelled cancelled jobs
 * @param discarded discarded jobs
 */
public record FinishedJobs(String queue, long completed, long cancelled, long discarded) {}
