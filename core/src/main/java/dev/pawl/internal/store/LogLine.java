package dev.pawl.internal.store;

import java.time.Duration;

/**
 * A log line of a handler.
 *
 * @param jobId the job
 * @param attempt the attempt that wrote it
 * @param age how long ago it was written; the database subtracts this from its own clock
 * @param line the text
 */
public record LogLine(long jobId, int attempt, Duration age, String line) {
    /** Start of the line that a stopping worker writes about an interrupted run. {@code JobLogLine} has the same text. */
    public static final String INTERRUPTED = "interrupted by its worker";
}
