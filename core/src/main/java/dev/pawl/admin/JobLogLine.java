package dev.pawl.admin;

import dev.pawl.api.JobRun;
import java.time.Instant;

/**
 * A line of a job's log, written by its handler with {@link JobRun#log}, by a worker or by {@link JobAdmin#edit}.
 *
 * @param attempt the number of the attempt that wrote it; of an edit, that of the last attempt, 0 before the first
 * @param loggedAt when
 * @param line the text
 */
public record JobLogLine(int attempt, Instant loggedAt, String line) {
    /** Must equal the text in {@code LogLine}, with which the worker writes it. */
    private static final String INTERRUPTED = "interrupted by its worker";

    /** {@return whether a stopping worker wrote it because it interrupted the run; the job was then released} */
    public boolean tellsOfInterruption() {
        return line.startsWith(INTERRUPTED);
    }
}
