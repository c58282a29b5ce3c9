package dev.pawl.admin;

import dev.pawl.api.JobRun;
import java.time.Instant;

/**
 * A line of a job's log, written by its handler with {@link JobRun#log}, by a worker or by {@link JobAdmin#edit}.
 *
 * @param attempt the number of the attempt that wrote the line; for the line of an edit, the number of the last attempt before the edit, or
 *     0
 * @param loggedAt when
 * @param line the text
 */
public record JobLogLine(int attempt, Instant loggedAt, String line) {
    /** Must equal {@code LogLine.INTERRUPTED}, with which the worker begins such a line. */
    private static final String INTERRUPTED = "interrupted by its worker";

    /** {@return whether a stopping worker wrote this line because it interrupted the run and released the job} */
    public boolean tellsOfInterruption() {
        return line.startsWith(INTERRUPTED);
    }
}
