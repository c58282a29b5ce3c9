package dev.pawl.admin;

import java.util.List;

/**
 * What has happened to a job lately. Immutable.
 *
 * @param attempts its latest failed attempts, oldest first
 * @param hasOlderAttempts whether others have failed before these
 * @param log the latest lines that its handler wrote, oldest first
 * @param hasOlderLines whether there are others before these
 */
public record JobStory(
        List<FailedAttempt> attempts, boolean hasOlderAttempts, List<JobLogLine> log, boolean hasOlderLines) {
    /** Copies the lists. */
    public JobStory {
        attempts = List.copyOf(attempts);
        log = List.copyOf(log);
    }
}
