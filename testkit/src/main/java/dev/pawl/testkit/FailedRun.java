package dev.pawl.testkit;

import dev.pawl.api.Job;

/**
 * A run that failed.
 *
 * @param job as it was claimed
 * @param error the exception with its stack trace
 * @param discarded whether the job was discarded; otherwise it waits for a retry
 */
public record FailedRun(Job job, String error, boolean discarded) {}
