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
public record LogLine(long jobId, int attempt, Duration age, String line) {
    /** How the line begins that a worker writes when it stops and has interrupted the run; {@code JobLogLine} knows it, too. */
    public static final String INTERRUPTED = "interrupted by its worker";
}
