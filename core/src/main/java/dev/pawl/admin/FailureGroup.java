package dev.pawl.admin;

import java.time.Instant;
import java.util.List;

/**
 * Failed attempts with the same cause: the same kind of job, exception and place in the program. If the error is not an exception, the
 * first line of its text must be the same, except for numbers.
 *
 * @param id eight hexadecimal digits, always the same for the same cause
 * @param cause the exception and its first stack frame outside of the JDK; if the error is not an exception, the first line of its text
 *     with {@code #} for each number
 * @param kind of the jobs
 * @param queue of the job whose attempt failed last
 * @param attempts the number of failed attempts
 * @param jobs the number of their jobs
 * @param discardedJobs how many of the jobs are discarded
 * @param waitingJobs how many of the jobs wait for a retry
 * @param firstAt when the first attempt failed
 * @param lastAt when the last attempt failed
 * @param lastError the beginning of the last error
 * @param discarded the discarded jobs, the newest 1,000 at most, ascending
 * @param waiting the jobs that wait for a retry, the newest 1,000 at most, ascending
 * @param hours the number of attempts that failed in each of the last 24 hours, oldest first, by the database's clock
 * @param isPartial whether older attempts were not read, so that the group may be larger; the same for all groups of a list
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
        List<Integer> hours,
        boolean isPartial) {
    /** Copies the lists. */
    public FailureGroup {
        discarded = List.copyOf(discarded);
        waiting = List.copyOf(waiting);
        hours = List.copyOf(hours);
    }
}
