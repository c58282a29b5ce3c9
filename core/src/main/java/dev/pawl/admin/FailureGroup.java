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
 * @param discardedJobs how many of the jobs have failed for good
 * @param waitingJobs how many of the jobs wait for another attempt
 * @param firstAt when the first of them failed
 * @param lastAt when the last one failed
 * @param lastError what the last one said, its beginning
 * @param discarded the jobs that have failed for good, the newest 1,000 at most, ascending
 * @param waiting the jobs that wait for another attempt, the newest 1,000 at most, ascending
 * @param isPartial whether there are older attempts that nobody has looked at, so that there may be more of this group; it is the
 *     same for all groups of a list
 */
public record FailureGroup(
        String id,
        String cause,
        String kind,
        String queue,
        int attempts,
        int jobs,
        int discardedJobs,
        int waitingJobs,
        Instant firstAt,
        Instant lastAt,
        String lastError,
        List<Long> discarded,
        List<Long> waiting,
        boolean isPartial) {
    /** Copies the lists. */
    public FailureGroup {
        discarded = List.copyOf(discarded);
        waiting = List.copyOf(waiting);
    }
}
