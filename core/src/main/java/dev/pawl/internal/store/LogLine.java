package dev.pawl.internal.store;

import java.time.Duration;

/**
 * A line that a handler wrote.
 *
 * @param jobId the job
 * @param attempt the attempt that wrote it
 * @param age how long ago; the database subtracts it from its own clock
 * @param line the text
 */
public record LogLine(long jobId, int attempt, Duration age, String line) {}
