package dev.pawl.admin;

import java.time.Instant;
import java.util.List;

/**
 * Failed attempts that have the same cause: the same kind of job, exception and place in the program; or, where there is no
 * exception, the same text but for its numbers.
 *
 * @param id eight hexadecimal digits, the same for the same cause at any time
 * @param cause the exception and where it was thrown, or the text
 * @param kind of the jobs
 * @param queue of the latest of them
 * @param attempts how many have failed
 * @param jobs how many jobs they belong to
 * @param firstAt when the first of them failed
 * @param lastAt when the last one failed
 * @param lastError what the last one said, its beginning
 * @param discarded the jobs that have failed for good
 * @param waiting the jobs that wait for another attempt
 */
public record FailureGroup(
        String id,
        String cause,
        String kind,
        String queue,
        int attempts,
        int jobs,
        Instant firstAt,
        Instant lastAt,
        String lastError,
        List<Long> discarded,
        List<Long> waiting) {
    /** Copies the lists. */
    public FailureGroup {
        discarded = List.copyOf(discarded);
        waiting = List.copyOf(waiting);
    }
}
