package dev.pawl.admin;

import dev.pawl.DatabaseException;
import dev.pawl.InvalidJobException;
import dev.pawl.Job;
import dev.pawl.JobStep;
import dev.pawl.Retention;
import dev.pawl.RetentionRule;
import dev.pawl.SchemaException;
import dev.pawl.SignalResult;
import dev.pawl.Strategy;
import dev.pawl.WorkerWish;
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
 * Inspects and operates the queue: what the command line and a dashboard need. Thread-safe. Every method throws
 * {@link DatabaseException} if the database fails. Most are one short transaction of their own; {@link #unattended},
 * {@link #pause}, {@link #setStrategy}, {@link #setRetention}, {@link #prune} and {@link #diagnose} are several, and {@link #tune} is a long one.
 */
public interface JobAdmin {
    /**
     * @param jobId the job, live or finished
     * @return the job; empty if there is none, or it was pruned
     */
    Optional<Job> find(long jobId);

    /**
     * Lists jobs, newest first.
     *
     * @param filter which ones, and which page
     * @return at most {@link JobFilter#limit()} jobs
     */
    List<Job> list(JobFilter filter);

    /**
     * The same for people who look: payloads are not read, and each is the empty text; and where few jobs match, it does not read all
     * that there are, but the newest 30,000 of each table. Then the page has fewer jobs than its limit, perhaps none, and says where to
     * look further. A statement that takes longer than five seconds is given up where the database can do so: a {@link
     * dev.pawl.DatabaseException} of a {@link java.sql.SQLTimeoutException} or of SQLSTATE 57014.
     *
     * @param filter which ones, and which page
     * @return at most {@link JobFilter#limit()} jobs, and where the next page begins
     */
    JobPage page(JobFilter filter);

    /**
     * @param jobId the job
     * @return its failed attempts, oldest first
     */
    List<FailedAttempt> failedAttempts(long jobId);

    /**
     * Groups failed attempts by their causes: all those of jobs that have not ended, and, of jobs that have, the 50,000 of those
     * enqueued last. If there are more, the groups say so ({@link FailureGroup#isPartial}).
     *
     * @param queue only of this queue; null for all
     * @param kind only of this kind; null for all
     * @return the groups, the one that failed last first
     */
    List<FailureGroup> failures(@Nullable String queue, @Nullable String kind);

    /**
     * The same for somebody who waits: of the failed attempts of the jobs that were enqueued last, whether these have ended or not.
     *
     * @param queue only of this queue; null for all
     * @param kind only of this kind; null for all
     * @param most how many attempts to look at; 1 or more
     * @return the groups, the one that failed last first
     */
    List<FailureGroup> failures(@Nullable String queue, @Nullable String kind, int most);

    /**
     * Does the same to all jobs that have failed for one cause, also to those that {@link #failures} has no room for, each in a
     * transaction of its own: if it fails, what was done before stays. It reads all failed attempts that there are.
     *
     * @param group the group's id
     * @param change {@code Retry}, of those that have failed for good and of those that wait for another attempt; or {@code Cancel},
     *     of those that wait
     * @param progress is told how many jobs have been changed so far, by the calling thread
     * @return what was done; left are those that have changed meanwhile, or whose unique key a live job has
     * @throws InvalidJobException if it is another change
     */
    ChangeResult changeFailures(String group, JobChange change, LongConsumer progress);

    /**
     * @param jobId the job
     * @return the lines that its handler wrote, oldest first
     */
    List<JobLogLine> log(long jobId);

    /**
     * For who looks again and again: a job may have failed thousands of times, and each of its runs may have written a thousand lines.
     *
     * @param jobId the job
     * @param attempts how many failed attempts at most, 1 or more
     * @param lines how many lines of its log at most, 1 or more
     * @return the latest of them
     */
    JobStory story(long jobId, int attempts, int lines);

    /**
     * @param jobId the job
     * @return which workers its runs were given to by managers, oldest first
     */
    List<JobAssignment> assignments(long jobId);

    /**
     * @param jobId the job
     * @param most how many at most; one or more
     * @return the latest of {@link #assignments(long)}, oldest first
     */
    List<JobAssignment> assignments(long jobId, int most);

    /**
     * Asks the worker that runs a job what its handler is doing. {@link #stack} has the answer about a second later, if the run has
     * gone on for longer than a second; there is none if the run ends before, if the worker has died, or if its program is older than
     * this feature. What was told before is forgotten. Answers are kept for an hour at least. Needs the right to write.
     *
     * @param jobId the job
     * @return what came of it
     */
    StackRequest askForStack(long jobId);

    /**
     * @param jobId the job
     * @return what was asked last with {@link #askForStack}, and what its worker has told; empty if nobody has asked lately
     */
    Optional<JobStack> stack(long jobId);

    /**
     * What a job gave back, as the codec wrote it.
     *
     * @param jobId its id
     * @return the text; empty if the job has not completed, gave nothing, or is kept no longer
     * @throws DatabaseException if the database fails
     */
    Optional<String> result(long jobId);

    /**
     * {@return batches that are part of no other, the newest first}
     *
     * @param below with smaller numbers than this; {@link Long#MAX_VALUE} for all
     * @param limit how many at most
     * @throws DatabaseException if the database fails
     */
    List<BatchInfo> batches(long below, int limit);

    /**
     * {@return batches that are part of another, in the order in which they were opened}
     *
     * @param parent the number of that one
     * @param limit how many at most
     * @throws DatabaseException if the database fails
     */
    List<BatchInfo> batchesIn(long parent, int limit);

    /**
     * {@return jobs of a batch by ascending id; those that were pruned or erased are left out}
     *
     * @param batch its number
     * @param after beyond this id; 0 for the first
     * @param limit how many to look at, at most
     * @throws DatabaseException if the database fails
     */
    List<Job> batchJobs(long batch, long after, int limit);

    /**
     * Cancels all jobs of a batch, and of those that are part of it, one by one: what waits has ended after this, what runs is
     * asked to stop. Jobs that are added meanwhile may be passed by.
     *
     * @param batch its number
     * @return how many were cancelled or asked to stop
     * @throws DatabaseException if the database fails; then some may have been cancelled
     */
    long cancelBatch(long batch);

    /**
     * {@return workflows, the newest first, as batches of their nodes}
     *
     * @param below with smaller numbers than this; {@link Long#MAX_VALUE} for all
     * @param limit how many at most
     * @throws DatabaseException if the database fails
     */
    List<BatchInfo> workflows(long below, int limit);

    /**
     * {@return a workflow with its nodes; empty if there is no such workflow, or none any more}
     *
     * @param workflow its number
     * @throws DatabaseException if the database fails
     */
    Optional<WorkflowInfo> workflow(long workflow);

    /**
     * {@return the number of the workflow that a job belongs to; empty if it belongs to none, or that was pruned}
     *
     * @param job a job
     * @throws DatabaseException if the database fails
     */
    OptionalLong workflowOf(Job job);

    /**
     * {@return the moment for which a parked job waits, by the database's clock, before it takes its place among the jobs with its key;
     * empty if it waits for its turn only, is not parked or does not exist}
     *
     * @param jobId its id
     * @throws DatabaseException if the database fails
     */
    Optional<Instant> dueAt(long jobId);

    /**
     * {@return all reasons why a job waits: at least {@link WaitReason.Cause#NEXT} if nothing keeps it from running; empty if it does not
     * wait or does not exist} Limits that a worker has for itself, such as a full heap, are not known here.
     *
     * @param jobId its id
     * @throws DatabaseException if the database fails
     */
    List<WaitReason> waitReasons(long jobId);

    /**
     * Cancels all jobs of a workflow one by one, those that come last first: what waits has ended after this, what runs is asked to
     * stop.
     *
     * @param workflow its number
     * @return how many were cancelled or asked to stop; none if there is no such workflow
     * @throws DatabaseException if the database fails; then some may have been cancelled
     */
    long cancelWorkflow(long workflow);

    /**
     * Stops a job: at once if it has not started; if it is running, its worker interrupts the handler within about a second,
     * however long its lease is.
     *
     * @param jobId the job
     * @return what happened
     */
    CancelResult cancel(long jobId);

    /**
     * Makes a job run again now: a finished one gets one more attempt, a delayed one becomes available at once.
     *
     * @param jobId the job
     * @return what happened
     */
    RetryResult retry(long jobId);

    /**
     * The same, and the job forgets a step and what it did after it, so that its next run does that again. Signals that have come are
     * not forgotten.
     *
     * @param jobId the job
     * @param fromStep the name of a step that is done
     * @return what happened; a job that is running forgets nothing
     * @throws dev.pawl.InvalidJobException if the job has no such step
     */
    RetryResult retry(long jobId, String fromStep);

    /**
     * @param jobId the job
     * @return what it remembers of its runs, in the order in which it came to it: {@link dev.pawl.RunSteps}
     */
    List<JobStep> steps(long jobId);

    /**
     * Gives a job a signal whose value is encoded already; programs use {@link dev.pawl.JobQueue#signal}.
     *
     * @param jobId the job
     * @param name of the signal
     * @param value as the codec of the queue would write it, JSON by default
     * @return what became of it
     * @throws dev.pawl.InvalidJobException if the name is not valid, or the value is larger than 256 KiB
     */
    SignalResult signal(long jobId, String name, String value);

    /**
     * Changes a job that waits. What it was before is written to its log ({@link #log}), with who changed it. The new payload is
     * stored as it is: a program that encrypts gives the text that its codec makes ({@link dev.pawl.PayloadCodec#encode}).
     *
     * @param jobId the job
     * @param edit what to change
     * @param by who does it, for the record; up to 200 characters
     * @return what happened
     * @throws InvalidJobException if the new payload is larger than the queue allows, or nobody does it, or the payload is
     *     encrypted ({@link dev.pawl.codec.EncryptedCodec#isEncrypted}) and the new one is not; then nothing is changed
     */
    EditResult edit(long jobId, JobEdit edit, String by);

    /**
     * @param which the jobs; its limit is ignored
     * @param change what {@link #changeAll} would do
     * @return how many jobs it would concern now
     */
    long countMatching(JobFilter which, JobChange change);

    /**
     * The same for somebody who waits: it stops counting at a number, and where there is a filter, it looks at the newest 30,000 jobs
     * of each table.
     *
     * @param which the jobs; its limit is ignored
     * @param change what {@link #changeAll} would do
     * @param most where to stop; 1 or more
     * @return how many jobs, and whether there may be more
     */
    JobCount countMatching(JobFilter which, JobChange change, int most);

    /**
     * Counts exactly, unless that takes longer than {@code atMost}.
     *
     * @param which the jobs; its limit is ignored
     * @param change what {@link #changeAll} would do
     * @param atMost how long to count; a statement that is running then may take about a second more
     * @return how many jobs, and whether there may be more because the time was up
     */
    JobCount countMatching(JobFilter which, JobChange change, Duration atMost);

    /**
     * Does the same to all jobs that match and to which it applies, in transactions of a few hundred: if it fails, what was done
     * before stays. Jobs that are enqueued meanwhile are left alone, and so are jobs that end meanwhile, by {@code Retry} and
     * {@code Delete}. Jobs of {@link dev.pawl.Strategy#LANES lanes} that wait get rows of their own by all but these two, also
     * those that do not match. Completed jobs of lanes that may still be joined by others, which were enqueued long ago and are
     * committed late, cannot be deleted yet and are left.
     *
     * @param which the jobs; its limit is ignored
     * @param change what to do
     * @param progress is told how many jobs have been changed so far, now and then, by the calling thread
     * @return what was done
     */
    ChangeResult changeAll(JobFilter which, JobChange change, LongConsumer progress);

    /** {@return every queue that has live jobs or is paused, by name} */
    List<QueueStats> queues();

    /**
     * The same for somebody who waits: it takes no longer where there are very many jobs.
     *
     * @param most where to stop counting, 1 or more: a queue's available jobs in rows and in each lane, its delayed and retrying ones
     *     together, and all running ones. A number that is as large or larger means: at least so many
     * @return every queue that has live jobs or is paused, by name
     */
    List<QueueStats> queues(int most);

    /**
     * The same as {@link #finished()} for somebody who waits: of jobs with rows of their own, those with the greatest ids.
     *
     * @param most how many of those to look at; 1 or more
     * @return how many of them each queue has, and all that are kept in lanes
     */
    List<FinishedJobs> finished(int most);

    /** {@return the tables, and how large they are, as far as the database tells it without reading them; the largest first} */
    List<TableSize> tables();

    /**
     * {@return the finished jobs of every queue that are still kept, by name} Reads the whole history, which takes
     * seconds if it is large.
     */
    List<FinishedJobs> finished();

    /** {@return queues and kinds whose jobs wait and that no live worker handles; the first 1,000 at most} */
    List<UnattendedJobs> unattended();

    /**
     * Looks for runs that take far longer than others of their kind: more than five times as long as the longest run of the kind
     * among the last 1,000 completed jobs, and more than a minute longer. Of a kind that has none among those nothing is known.
     * Jobs of lanes are looked at like all others.
     *
     * @return such runs among the 1,000 that began first, the longest first
     */
    List<StalledJob> stalled();

    /**
     * Stops claims from a queue, on all workers at once. Running jobs go on.
     *
     * @param queue its name
     * @throws InvalidJobException if the name is malformed
     */
    void pause(String queue);

    /**
     * Lets workers claim from a paused queue again.
     *
     * @param queue its name
     * @return false if it was not paused
     * @throws InvalidJobException if the name is malformed
     */
    boolean resume(String queue);

    /**
     * Stops claims from all queues, on all workers at once, also from queues that come into being later: after an accident, or in a copy of
     * a database whose jobs must not run. Running jobs go on. Schedules go on enqueueing, as they do for a paused queue, and what was
     * paused before stays so after {@link #resumeAll}.
     */
    void pauseAll();

    /**
     * Ends the pause of {@link #pauseAll}. Queues that were paused one by one stay paused.
     *
     * @return false if {@link #pauseAll} was not in force
     */
    boolean resumeAll();

    /** {@return since when all queues are paused by {@link #pauseAll}; empty if they are not} */
    Optional<Instant> allPausedSince();

    /**
     * Sets how jobs of a queue are claimed and run, by all workers without a strategy of their own. They follow within
     * about five seconds; jobs already claimed end the way they began.
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
     * Has a worker claim no more, or go on, or stop, wherever it runs. It follows with its next heartbeat, within about ten
     * seconds. A worker that is started anew works.
     *
     * @param workerId its id
     * @param wish what it should do
     * @return false if there is no such worker, or it has stopped
     */
    boolean wish(long workerId, WorkerWish wish);

    /**
     * Has a worker run another number of jobs at once, wherever it runs: from its next heartbeat on, within about ten seconds. Jobs
     * that run go on. A restarted worker runs as many as its program says.
     *
     * @param workerId its id
     * @param concurrency 1 to what its program allows ({@link dev.pawl.WorkerBuilder#maxConcurrency}); for none see {@link #wish}
     * @return false if there is no such worker, or it has stopped
     * @throws InvalidJobException if the worker does not allow so many
     */
    boolean scale(long workerId, int concurrency);

    /**
     * The same for all live workers of a queue, each as far as its program allows. Workers of programs that are too old are left out.
     *
     * @param queue the queue
     * @param concurrency 1 to 10,000
     * @return how many jobs each of them will run at once, by the ids of workers; empty if there are none
     * @throws InvalidJobException if it is outside the range
     */
    SortedMap<Long, Integer> scaleQueue(String queue, int concurrency);

    /** {@return the workers without a database, as each live manager sees them} */
    List<RemoteWorkerInfo> remoteWorkers();

    /**
     * Deletes finished jobs that are older than the retention, with their attempts and log lines, in small batches. Queues and
     * kinds with a retention of their own are pruned by that.
     *
     * @param retention how long each state of all others is kept; zero deletes all jobs in that state
     * @return how many jobs were deleted
     */
    long prune(Retention retention);

    /**
     * Sets how long ended jobs of a queue or kind are kept, in place of what was set for it before. Workers prune by it
     * within about a minute, what has ended already included. A program may do so each time it starts.
     *
     * @param rule what to set
     * @throws InvalidJobException if it says nothing, or there are a thousand already
     */
    void setRetention(RetentionRule rule);

    /**
     * Has ended jobs of a queue or kind be kept for as long as all others.
     *
     * @param subject a queue or a kind
     * @return false if it had no retention of its own
     */
    boolean clearRetention(Subject subject);

    /** {@return the queues and kinds with a retention of their own, queues first, by name} */
    List<RetentionRule> retentions();

    /**
     * Rebuilds the tables with options that suit some users and not all. All or nothing; workers wait meanwhile.
     *
     * @param tuning what to change
     * @throws SchemaException on any database but PostgreSQL
     */
    void tune(Tuning tuning);

    /** {@return how queues have been lately} */
    Series series();

    /** {@return duties that one process of all does} */
    Duties duties();

    /**
     * Examines what the server and its settings mean for the queue.
     *
     * @return facts, advice and warnings, in the order in which to read them
     */
    List<Finding> diagnose();
}
