package dev.pawl.admin;

import java.util.List;

/**
 * The latest failed attempts and log lines of a job. Immutable.
 *
 * @param attempts its latest failed attempts, oldest first
 * @param hasOlderAttempts whether there are earlier failed attempts
 * @param log the latest lines of its log, oldest first
 * @param hasOlderLines whether there are earlier lines
 */
public record JobStory(
        List<FailedAttempt> attempts, boolean hasOlderAttempts, List<JobLogLine> log, boolean hasOlderLines) {
    /** Copies the lists. */
    public JobStory {
        attempts = List.copyOf(attempts);
        log = List.copyOf(log);
    }
}
