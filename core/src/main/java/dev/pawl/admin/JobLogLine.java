package dev.pawl.admin;

import dev.pawl.JobRun;
import java.time.Instant;

/**
 * A line that a handler wrote with {@link JobRun#log}, or a worker about the run.
 *
 * @param attempt the attempt that wrote it
 * @param loggedAt when
 * @param line the text
 */
public record JobLogLine(int attempt, Instant loggedAt, String line) {
    /** As the worker writes it; {@code LogLine} has the same. */
    private static final String INTERRUPTED = "interrupted by its worker";

    /** {@return whether a worker has written it because it interrupted the run as it stopped: the run began anew} */
    public boolean tellsOfInterruption() {
        return line.startsWith(INTERRUPTED);
    }
}
