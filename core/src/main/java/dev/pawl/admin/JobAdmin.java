package dev.pawl.admin;

import dev.pawl.api.DatabaseException;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.Job;
import dev.pawl.api.JobStep;
import dev.pawl.api.Retention;
import dev.pawl.api.SchemaException;
import dev.pawl.api.SignalResult;
import dev.pawl.api.Strategy;
import dev.pawl.api.WorkerWish;
import dev.pawl.limit.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Inspects and operates the queue, for the command line, a dashboard and other tools. Thread-safe. Every method throws
 * {@link DatabaseException} if the database fails. Most methods are one short transaction; {@link #unattended},
 * {@link #pause}, {@link #setStrategy}, {@link #setRetention}, {@link #prune} and {@link #diagnose} are several, and
 * {@link #tune} is a long one.
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
     * Lists jobs, newest first.
     *
     * @param filter the jobs and the page
     * @return at most {@link JobFilter#limit()} jobs
     */
    List<Job> list(JobFilter filter);

    /**
     * Lists jobs with bounded effort, for interactive use. Payloads are not read and are empty. If few jobs match, it
     * reads only the newest 30,000 of each table; the page then has fewer jobs than its limit, perhaps none, and names
     * the id from which to continue. A statement that takes longer than five seconds is cancelled where the database
     * supports it; the {@link dev.pawl.api.DatabaseException} then has a {@link java.sql.SQLTimeoutException} or SQLSTATE
     * 57014 as its cause.
     *
     * @param filter the jobs and the page
     * @return at most {@link JobFilter#limit()} jobs, and where the next page begins
     */
    JobPage page(JobFilter filter);

    /**
     * Lists the failed attempts of a job.
     *
     * @param jobId the job
     * @return its failed attempts, oldest first
     */
    List<FailedAttempt> failedAttempts(long jobId);

    /**
     * Groups failed attempts by cause. Reads at most 50,000 attempts of live jobs and as many of finished ones, of the
     * jobs enqueued last; {@link FailureGroup#isPartial} says whether there are more.
     *
     * @param queue only of this queue; null for all
     * @param kind only of this kind; null for all
     * @return the groups, latest failure first
     */
    List<FailureGroup> failures(@Nullable String queue, @Nullable String kind);

    /**
     * Groups failed attempts by cause with bounded effort, for interactive use. Reads the attempts of the jobs that
     * were enqueued last, live or finished.
     *
     * @param queue only of this queue; null for all
     * @param kind only of this kind; null for all
     * @param most the maximum number of attempts to read; 1 or more
     * @return the groups, latest failure first
     */
    List<FailureGroup> failures(@Nullable String queue, @Nullable String kind, int most);

    /**
     * Changes all jobs that have failed for one cause, including those that {@link #failures} does not list. Each job
     * is changed in a transaction of its own; after a failure, earlier changes stay. Reads all failed attempts.
     *
     * @param group the group's id
     * @param change {@code Retry}, for discarded jobs and jobs that wait for a retry; or {@code Cancel}, for jobs that
     *     wait for a retry
     * @param progress called on the calling thread with the number of jobs changed so far
     * @return the number of changed jobs, and of jobs left because their state has changed in between or a live job has
     *     their unique key
     * @throws InvalidJobException if it is another change
     */
    ChangeResult changeFailures(String group, JobChange change, LongConsumer progress);

    /**
     * Lists the log of a job.
     *
     * @param jobId the job
     * @return the lines that its handler wrote, oldest first
     */
    List<JobLogLine> log(long jobId);

    /**
     * Lists the latest failed attempts and log lines of a job. For repeated reads, because a job may have thousands of
     * failed attempts and a thousand lines from each run.
     *
     * @param jobId the job
     * @param attempts the maximum number of failed attempts, 1 or more
     * @param lines the maximum number of log lines, 1 or more
     * @return the latest of them
     */
    JobStory story(long jobId, int attempts, int lines);

    /**
     * Lists the remote workers to which managers have handed off the runs of a job.
     *
     * @param jobId the job
     * @return the assignments, oldest first
     */
    List<JobAssignment> assignments(long jobId);

    /**
     * Lists the latest remote workers to which managers have handed off the runs of a job.
     *
     * @param jobId the job
     * @param most the maximum number of assignments; 1 or more
     * @return the latest of {@link #assignments(long)}, oldest first
     */
    List<JobAssignment> assignments(long jobId, int most);

    /**
     * Requests a stack trace of a job's handler. {@link #stack} returns it about a second later, if the run has lasted
     * longer than a second. There is none if the run ends before, or if the worker has died. Deletes an earlier trace of
     * the job; traces are kept for at least an hour. Needs write access.
     *
     * @param jobId the job
     * @return whether it was requested
     */
    StackRequest askForStack(long jobId);

    /**
     * Returns the last requested stack trace of a job.
     *
     * @param jobId the job
     * @return the request and, once its worker has reported it, the stack trace; empty if there is no recent request
     */
    Optional<JobStack> stack(long jobId);

    /**
     * Returns the result of a job, as the codec wrote it.
     *
     * @param jobId its id
     * @return the text; empty if the job has not completed, has no result, or is no longer kept
     */
    Optional<String> result(long jobId);

    /**
     * {@return batches that are not part of another, newest first}
     *
     * @param below only smaller ids; {@link Long#MAX_VALUE} for all
     * @param limit the maximum number of batches
     */
    List<BatchInfo> batches(long below, int limit);

    /**
     * {@return the batches within another, in the order in which they were opened}
     *
     * @param parent the id of the outer batch
     * @param limit the maximum number of batches
     */
    List<BatchInfo> batchesIn(long parent, int limit);

    /**
     * {@return the jobs of a batch by ascending id; without those that were pruned or erased}
     *
     * @param batch its id
     * @param after only greater ids; 0 for the first
     * @param limit the maximum number of jobs to read
     */
    List<Job> batchJobs(long batch, long after, int limit);

    /**
     * Cancels all jobs of a batch and of the batches within it, one by one: waiting jobs are cancelled, and the
     * cancellation of running jobs is requested. Jobs that are added during the call may be missed.
     *
     * @param batch its id
     * @return the number of jobs cancelled or requested to stop
     * @throws DatabaseException if the database fails; then some may have been cancelled
     */
    long cancelBatch(long batch);

    /**
     * {@return workflows, newest first, as batches of their nodes}
     *
     * @param below only smaller ids; {@link Long#MAX_VALUE} for all
     * @param limit the maximum number of workflows
     */
    List<BatchInfo> workflows(long below, int limit);

    /**
     * {@return a workflow with its nodes; empty if it does not exist, or no longer}
     *
     * @param workflow its id
     */
    Optional<WorkflowInfo> workflow(long workflow);

    /**
     * {@return the id of the workflow of a job; empty if the job belongs to none, or the workflow was pruned}
     *
     * @param job a job
     */
    OptionalLong workflowOf(Job job);

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

    /**
     * Cancels all jobs of a workflow one by one, dependent ones first: waiting jobs are cancelled, and the cancellation
     * of running jobs is requested.
     *
     * @param workflow its id
     * @return the number of jobs cancelled or requested to stop; 0 if the workflow does not exist
     * @throws DatabaseException if the database fails; then some may have been cancelled
     */
    long cancelWorkflow(long workflow);

    /**
     * Cancels a job: at once if it has not started. If it is running, its worker interrupts the handler within about a
     * second, regardless of the lease.
     *
     * @param jobId the job
     * @return the result
     */
    CancelResult cancel(long jobId);

    /**
     * Makes a job available now: a finished one for one more attempt, a delayed one before its time.
     *
     * @param jobId the job
     * @return the result
     */
    RetryResult retry(long jobId);

    /**
     * Makes a job available now and deletes a step and all later ones, so that its next run repeats them. Received
     * signals are kept.
     *
     * @param jobId the job
     * @param fromStep the name of a completed step
     * @return the result; a running job keeps its steps
     * @throws dev.pawl.api.InvalidJobException if the job has no such step
     */
    RetryResult retry(long jobId, String fromStep);

    /**
     * Lists the steps, signals and sleeps of a job, see {@link dev.pawl.api.RunSteps}.
     *
     * @param jobId the job
     * @return its steps, in the order in which they were first written
     */
    List<JobStep> steps(long jobId);

    /**
     * Sends a signal with an encoded value to a job. For tools; programs use {@link dev.pawl.JobQueue#signal}.
     *
     * @param jobId the job
     * @param name of the signal
     * @param value as the codec of the queue would write it, JSON by default
     * @return the result
     * @throws dev.pawl.api.InvalidJobException if the name is not valid, or the value is larger than 256 KiB
     */
    SignalResult signal(long jobId, String name, String value);

    /**
     * Edits a waiting job. Its log ({@link #log}) gets the earlier values and the name of the editor. The new payload
     * is stored as it is: a program that encrypts payloads must pass the text of its codec
     * ({@link dev.pawl.api.PayloadCodec#encode}).
     *
     * @param jobId the job
     * @param edit the changes
     * @param by the name of the editor, for the log; 1 to 200 characters
     * @return the result
     * @throws InvalidJobException if the new payload is larger than the queue allows, if {@code by} is blank or too
     *     long, or if the payload is encrypted ({@link dev.pawl.codec.EncryptedCodec#isEncrypted}) and the new one is
     *     not; then nothing is changed
     */
    EditResult edit(long jobId, JobEdit edit, String by);

    /**
     * Counts the jobs that {@link #changeAll} would change now.
     *
     * @param which the jobs; its limit is ignored
     * @param change the change
     * @return the number of jobs
     */
    long countMatching(JobFilter which, JobChange change);

    /**
     * Counts the jobs that {@link #changeAll} would change now, with bounded effort, for interactive use. It stops at a
     * given number and, if the filter has conditions, reads only the newest 30,000 jobs of each table.
     *
     * @param which the jobs; its limit is ignored
     * @param change the change
     * @param most where to stop; 1 or more
     * @return the number of jobs, and whether there may be more
     */
    JobCount countMatching(JobFilter which, JobChange change, int most);

    /**
     * Counts the jobs that {@link #changeAll} would change now, exactly unless that takes longer than {@code atMost}.
     *
     * @param which the jobs; its limit is ignored
     * @param change the change
     * @param atMost the timeout; the statement that is running then may take about a second longer
     * @return the number of jobs, and whether there may be more because of the timeout
     */
    JobCount countMatching(JobFilter which, JobChange change, Duration atMost);

    /**
     * Changes all jobs that match and to which the change applies, in transactions of a few hundred; after a failure,
     * earlier changes stay. Jobs that are enqueued during the call are not changed; {@code Retry} and {@code Delete} do
     * not change jobs that finish during the call. All other changes give waiting jobs of
     * {@link dev.pawl.api.Strategy#LANES lanes} rows of their own, even those that do not match. {@code Delete} leaves
     * completed jobs of a lane while a transaction that was opened long ago may still add jobs next to them.
     *
     * @param which the jobs; its limit is ignored
     * @param change the change
     * @param progress called on the calling thread now and then with the number of jobs changed so far
     * @return the result
     */
    ChangeResult changeAll(JobFilter which, JobChange change, LongConsumer progress);

    /** {@return all queues with live jobs, and all paused queues, by name} */
    List<QueueStats> queues();

    /**
     * Lists the queues with bounded effort, for interactive use.
     *
     * @param most where to stop counting, 1 or more. Applies separately to a queue's available jobs in rows, to those
     *     in each lane, to its delayed and retrying ones together, and to all running ones. A result that has reached
     *     it is a lower bound
     * @return all queues with live jobs, and all paused queues, by name
     */
    List<QueueStats> queues(int most);

    /**
     * Counts finished jobs with bounded effort, for interactive use. Of jobs with rows of their own it reads those with
     * the greatest ids.
     *
     * @param most the maximum number of those to read; 1 or more
     * @return the number in each queue of the jobs read, and of all finished jobs in lanes
     */
    List<FinishedJobs> finished(int most);

    /**
     * {@return the tables with their sizes, largest first, as the database estimates them without reading the tables}
     */
    List<TableSize> tables();

    /**
     * {@return the number of finished jobs that are kept of every queue, by name} Reads the whole history, which takes
     * seconds if it is large.
     */
    List<FinishedJobs> finished();

    /** {@return queues and kinds with waiting jobs that no live worker handles; at most 1,000} */
    List<UnattendedJobs> unattended();

    /**
     * Finds runs that take far longer than others of their kind: more than five times as long as the longest run of the
     * kind among the last 1,000 completed jobs, and more than a minute longer. Kinds without a run among those are
     * skipped.
     *
     * @return such runs among the 1,000 that started first, longest first
     */
    List<StalledJob> stalled();

    /**
     * Pauses a queue: no worker claims from it. Running jobs continue.
     *
     * @param queue its name
     * @throws InvalidJobException if the name is malformed
     */
    void pause(String queue);

    /**
     * Resumes a paused queue.
     *
     * @param queue its name
     * @return false if it was not paused
     * @throws InvalidJobException if the name is malformed
     */
    boolean resume(String queue);

    /**
     * Pauses all queues, including queues that are created later: after an accident, or in a copy of a database whose
     * jobs must not run. Running jobs continue, and schedules continue to enqueue. Queues that were paused individually
     * stay paused after {@link #resumeAll}.
     */
    void pauseAll();

    /**
     * Ends {@link #pauseAll}. Queues that were paused individually stay paused.
     *
     * @return false if {@link #pauseAll} was not in effect
     */
    boolean resumeAll();

    /** {@return when {@link #pauseAll} was called; empty if it is not in effect} */
    Optional<Instant> allPausedSince();

    /**
     * Sets the strategy of a queue, for all workers without a strategy of their own. They apply it within about five
     * seconds; jobs already claimed are completed with the strategy that claimed them.
     *
     * @param queue its name
     * @param strategy {@link Strategy#AUTO} removes the setting
     * @throws InvalidJobException if the name is malformed
     * @throws SchemaException if the database does not support the strategy
     */
    void setStrategy(String queue, Strategy strategy);

    /** {@return the workers, live ones first} */
    List<WorkerInfo> workers();

    /**
     * Sends a command to a worker of any process. The worker follows it at its next heartbeat, within about ten
     * seconds. A restarted worker works again.
     *
     * @param workerId its id
     * @param wish the command
     * @return false if the worker does not exist, or has stopped
     */
    boolean wish(long workerId, WorkerWish wish);

    /**
     * Sets the concurrency of a worker of any process. The worker applies it at its next heartbeat, within about ten
     * seconds. Running jobs continue. A restarted worker has the concurrency of its program.
     *
     * @param workerId its id
     * @param concurrency 1 to the maximum of its program ({@link dev.pawl.WorkerBuilder#maxConcurrency}); to stop
     *     claims, see {@link #wish}
     * @return false if the worker does not exist, or has stopped
     * @throws InvalidJobException if it exceeds the maximum of the worker's program
     */
    boolean scale(long workerId, int concurrency);

    /**
     * Sets the concurrency of all live workers of a queue, each at most to the maximum of its program.
     *
     * @param queue the queue
     * @param concurrency 1 to 10,000
     * @return the new concurrency by worker id; empty if there are no workers
     * @throws InvalidJobException if it is outside the range
     */
    SortedMap<Long, Integer> scaleQueue(String queue, int concurrency);

    /** {@return the remote workers, as each live manager reports them} */
    List<RemoteWorkerInfo> remoteWorkers();

    /**
     * Deletes finished jobs that are older than the retention, with their attempts and log lines, in small batches. A
     * {@link RetentionRule} overrides it for a queue or kind.
     *
     * @param retention how long each state is kept; zero deletes all jobs in that state
     * @return the number of deleted jobs
     */
    long prune(Retention retention);

    /**
     * Sets how long finished jobs of a queue or kind are kept; replaces an earlier rule. Workers apply it within about
     * a minute, also to jobs that have finished already. A program may call it each time it starts.
     *
     * @param rule the rule
     * @throws InvalidJobException if it sets no duration, or there are a thousand rules already
     */
    void setRetention(RetentionRule rule);

    /**
     * Removes the retention rule of a queue or kind.
     *
     * @param subject a queue or a kind
     * @return false if it had no rule
     */
    boolean clearRetention(Subject subject);

    /** {@return all retention rules, queues first, by name} */
    List<RetentionRule> retentions();

    /**
     * Rebuilds the tables with other options, in one transaction. Workers wait until it ends.
     *
     * @param tuning the changes
     * @throws SchemaException on any database except PostgreSQL
     */
    void tune(Tuning tuning);

    /** {@return samples of the queues over time} */
    Series series();

    /** {@return leadership of tasks that one of all processes performs} */
    Duties duties();

    /**
     * Diagnoses the server, its settings and the state of the queue.
     *
     * @return facts, advice and warnings, in reading order
     */
    List<Finding> diagnose();
}
