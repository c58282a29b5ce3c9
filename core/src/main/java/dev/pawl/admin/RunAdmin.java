package dev.pawl.admin;

import dev.pawl.api.DatabaseException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Shows what runs of jobs did: failed attempts, logs, stack traces. Get it from {@link Admin#runs}. Thread-safe. Every method throws {@link
 * DatabaseException} if the database fails. Each is one short transaction or a few reads, except {@link #requestStackTrace}, {@link
 * #failures} and {@link #changeFailures}.
 */
public interface RunAdmin {
    /**
     * Lists the latest failed attempts of a job. A job that is retried often may have thousands.
     *
     * @param jobId the job
     * @param limit the maximum number of failed attempts, 1 or more; {@link Admin#UNLIMITED} for all
     * @return its latest failed attempts, oldest first
     * @throws IllegalArgumentException if the limit is less than 1
     */
    List<FailedAttempt> failedAttempts(long jobId, int limit);

    /**
     * Lists the latest lines of the log of a job. Each run may write a thousand.
     *
     * @param jobId the job
     * @param limit the maximum number of lines, 1 or more; {@link Admin#UNLIMITED} for all
     * @return its latest lines, oldest first
     * @throws IllegalArgumentException if the limit is less than 1
     */
    List<JobLogLine> log(long jobId, int limit);

    /**
     * Lists the latest remote workers to which managers have handed off the runs of a job.
     *
     * @param jobId the job
     * @param limit the maximum number of assignments, 1 or more; {@link Admin#UNLIMITED} for all
     * @return its latest assignments, oldest first
     * @throws IllegalArgumentException if the limit is less than 1
     */
    List<JobAssignment> assignments(long jobId, int limit);

    /**
     * Requests a stack trace of a job's handler. The worker reports it within about a second, once the run has lasted a second, and then
     * {@link #stackTrace} returns it. There is none if the run ends earlier, or if the worker has died. Deletes an earlier trace of the
     * job; traces are kept for at least an hour. Needs write access.
     *
     * @param jobId the job
     * @return whether it was requested
     */
    StackRequest requestStackTrace(long jobId);

    /**
     * Returns the last requested stack trace of a job.
     *
     * @param jobId the job
     * @return the request and, once its worker has reported it, the stack trace; empty if there is no recent request
     */
    Optional<JobStack> stackTrace(long jobId);

    /**
     * Finds runs that take far longer than others of their kind: more than five times as long as the longest recent run of the kind, and
     * more than a minute longer. Recent runs are the runs of some recently completed jobs in {@linkplain dev.pawl.api.Strategy#LANES
     * lanes}, and of the last 1,000 completed jobs that had rows of their own. Kinds without a recent run are skipped.
     *
     * @return such runs; examines only the 1,000 oldest runs of jobs with rows, and up to 1,000 old runs of jobs in lanes
     */
    StalledJobs stalled();

    /**
     * Groups the failed attempts of the newest jobs by cause. {@link FailureGroup#isPartial} says whether some attempts were not read.
     *
     * @param queue only of this queue; null for all
     * @param kind only of this kind; null for all
     * @param limit the maximum number of attempts to read, including attempts of other queues and kinds; 1 or more. {@link Admin#UNLIMITED}
     *     reads up to 50,000 attempts of live jobs and 50,000 of finished jobs, all of this queue and kind, which may take seconds
     * @return the groups, latest failure first
     * @throws IllegalArgumentException if the limit is less than 1
     */
    List<FailureGroup> failures(@Nullable String queue, @Nullable String kind, int limit);

    /**
     * Changes all jobs that have failed for one cause, including those that {@link #failures} does not list. Each job is changed in a
     * transaction of its own; after a failure, earlier changes stay. Reads all failed attempts. If the thread is interrupted, the call
     * ends early, and its result counts what it has done until then.
     *
     * @param group the group's id
     * @param change {@code Retry} (which may be spread over time), for discarded jobs and jobs that wait for a retry; or {@code Cancel},
     *     for jobs that wait for a retry
     * @param progress called on the calling thread with the number of jobs changed so far
     * @return the number of jobs that were changed, and of jobs that were not, because their state has changed during the call or a live
     *     job has their unique key
     * @throws IllegalArgumentException if the change is neither
     */
    ChangeResult changeFailures(String group, JobChange change, LongConsumer progress);
}
