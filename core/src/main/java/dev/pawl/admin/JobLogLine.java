package dev.pawl.admin;

import dev.pawl.api.JobRun;
import java.time.Instant;

/**
 * A line of a job's log, written by its handler with {@link JobRun#log} or by a worker.
 *
 * @param attempt the attempt that wrote it
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
