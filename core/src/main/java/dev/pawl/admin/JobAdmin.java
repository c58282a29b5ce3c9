package dev.pawl.admin;

import dev.pawl.api.DatabaseException;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.Job;
import dev.pawl.api.JobStep;
import dev.pawl.api.RunSteps;
import dev.pawl.api.SignalResult;
import dev.pawl.api.Strategy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Finds and changes jobs. Get it from {@link Admin#jobs}. {@link RunAdmin} shows what runs of jobs did. Thread-safe. Every method throws
 * {@link DatabaseException} if the database fails. Each is one short transaction or a few reads, except {@link #changeAll} and the counts.
 */
public interface JobAdmin {
    /**
     * Finds a job.
     *
     * @param jobId the job, live or finished
     * @return the job; empty if it does not exist, or was pruned
     */
    Optional<Job> find(long jobId);

    /**
     * Lists jobs, newest first. Reads several tables one after the other, so a job that is enqueued or retried during the call may be
     * missing.
     *
     * @param filter the jobs and the page
     * @return at most {@link JobFilter#limit()} jobs
     */
    List<Job> list(JobFilter filter);

    /**
     * Lists jobs with bounded effort, for interactive use. Payloads are not read and are empty. It searches at most the newest 30,000 jobs
     * of each table. If too few of them match, the page has fewer jobs than its limit, perhaps none, and has the id from which to continue.
     * A statement that takes longer than five seconds is cancelled where the database supports it; the {@link DatabaseException} then has a
     * {@link java.sql.SQLTimeoutException} or SQLSTATE 57014 as its cause.
     *
     * @param filter the jobs and the page
     * @return at most {@link JobFilter#limit()} jobs, and where the next page begins
     */
    JobPage page(JobFilter filter);

    /**
     * Counts the jobs that match and to which the change applies now. The count is exact unless it takes longer than a timeout. {@link
     * #changeAll} may leave some of these jobs unchanged.
     *
     * @param which the jobs; its limit is ignored
     * @param change the change
     * @param timeout when counting stops; the statement that is running then may take about a second longer. {@link Admin#NO_TIMEOUT} for
     *     the exact number
     * @return the number of jobs, and whether there may be more because of the timeout
     */
    JobCount count(JobFilter which, JobChange change, Duration timeout);

    /**
     * Counts the jobs that match and to which the change applies now, with bounded effort, for interactive use. It stops at a given number
     * and, if the filter has conditions or the change is a {@code Retry}, reads only the newest 30,000 jobs of each table.
     *
     * @param which the jobs; its limit is ignored
     * @param change the change
     * @param limit where to stop; 1 or more
     * @return the number of jobs, and whether there may be more
     * @throws IllegalArgumentException if the limit is less than 1
     */
    JobCount countNewest(JobFilter which, JobChange change, int limit);

    /**
     * Changes all jobs that match and to which the change applies, in transactions of a few hundred; after a failure, earlier changes stay.
     * Jobs that are enqueued during the call are not changed; {@code Retry} and {@code Delete} do not change jobs that finish during the
     * call, except completed jobs of {@link Strategy#LANES lanes}. All other changes give waiting jobs of lanes rows of their own, even
     * those that do not match. {@code Delete} and {@code Erase} do not delete completed jobs of a lane as long as a transaction that was
     * open when these jobs were claimed may still commit jobs with smaller ids. If the thread is interrupted, the call ends early, and its
     * result counts what it has done until then.
     *
     * @param which the jobs; its limit is ignored
     * @param change the change
     * @param progress called on the calling thread now and then with the number of jobs changed so far
     * @return the result
     */
    ChangeResult changeAll(JobFilter which, JobChange change, LongConsumer progress);

    /**
     * Cancels a job: at once if it is waiting. If it is running, its worker interrupts the handler within about a second, regardless of the
     * lease.
     *
     * @param jobId the job
     * @return the result
     */
    CancelResult cancel(long jobId);

    /**
     * Makes a waiting or finished job available now, even if it is delayed, blocked or pending. A finished job gets at least one more
     * attempt. It may have to wait for other jobs again, if it has a concurrency key or its workflow node was not released.
     *
     * @param jobId the job
     * @return the result
     */
    RetryResult retry(long jobId);

    /**
     * Makes a job available now and deletes a step and all later ones, so that its next run repeats them. Received signals are kept, unless
     * {@code fromStep} names one.
     *
     * @param jobId the job
     * @param fromStep the name of a step, sleep or signal of the job
     * @return the result; a running job keeps its steps
     * @throws IllegalArgumentException if the job has no such step
     */
    RetryResult retry(long jobId, String fromStep);

    /**
     * Edits a waiting job. Its log ({@link RunAdmin#log}) gets the earlier values and the name of the editor. The new payload
     * is stored as it is: a program that encrypts payloads must pass the text of its codec
     * ({@link dev.pawl.api.PayloadCodec#encode}).
     *
     * @param jobId the job
     * @param edit the changes
     * @param by the name of the editor, for the log; 1 to 200 characters
     * @return the result
     * @throws IllegalArgumentException if {@code by} is blank or too long; nothing is changed
     * @throws InvalidJobException if the new payload is larger than the queue allows, or if the payload is encrypted
     *     ({@link dev.pawl.codec.EncryptedCodec#isEncrypted}) and the new one is not; nothing is changed
     */
    EditResult edit(long jobId, JobEdit edit, String by);

    /**
     * Lists the steps, signals and sleeps of a job, see {@link RunSteps}.
     *
     * @param jobId the job
     * @return its steps, in the order in which the job reached them; signals that it has not reached are last
     */
    List<JobStep> steps(long jobId);

    /**
     * Sends a signal with an encoded value to a job. For tools; programs use {@link dev.pawl.JobQueue#signal}.
     *
     * @param jobId the job
     * @param name of the signal
     * @param value as the codec of the queue would write it, JSON by default
     * @return the result
     * @throws InvalidJobException if the name is not valid, the value is larger than 256 KiB, or the job has 1,000 steps and signals
     *     already
     */
    SignalResult signal(long jobId, String name, String value);

    /**
     * Returns the result of a job, as the codec wrote it.
     *
     * @param jobId its id
     * @return the text; empty if the job has not completed, has no result, or is no longer kept
     */
    Optional<String> result(long jobId);

    /**
     * {@return the time from which a blocked job ({@link dev.pawl.api.JobState#BLOCKED}) may be released, by the database's clock; empty
     * if it waits only for other jobs with its concurrency key, is not blocked or does not exist}
     *
     * @param jobId its id
     */
    Optional<Instant> dueAt(long jobId);

    /**
     * {@return all reasons why a job waits, or {@link WaitReason.Cause#NEXT} if there is none; empty if it does not
     * wait or does not exist} Conditions that only a worker knows, such as a full heap, are not included.
     *
     * @param jobId its id
     */
    List<WaitReason> waitReasons(long jobId);
}
