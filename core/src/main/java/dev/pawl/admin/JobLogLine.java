package dev.pawl.admin;

import dev.pawl.JobRun;
import java.time.Instant;

/**
 * A line that a handler wrote with {@link JobRun#log}.
 *
 * @param attempt the attempt that wrote it
 * @param loggedAt when
 * @param line the text
 */
public record JobLogLine(int attempt, Instant loggedAt, String line) {}
