package dev.pawl.admin;

import java.time.Duration;

/**
 * A run that takes far longer than others of its kind.
 *
 * @param jobId the job
 * @param queue its queue
 * @param kind its kind
 * @param running its duration so far
 * @param usual the duration of the longest run among the recently completed jobs of the kind
 */
public record StalledJob(long jobId, String queue, String kind, Duration running, Duration usual) {}
