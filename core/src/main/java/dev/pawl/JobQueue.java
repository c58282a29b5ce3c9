package dev.pawl;

import dev.pawl.admin.Admin;
import dev.pawl.admin.BatchInfo;
import dev.pawl.api.BulkResult;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Enqueuer;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobType;
import dev.pawl.api.Names;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.RunSteps;
import dev.pawl.api.SchemaException;
import dev.pawl.api.Signal;
import dev.pawl.api.SignalResult;
import dev.pawl.api.TypeToken;
import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.admin.BatchAdmin;
import dev.pawl.internal.admin.SqlAdmin;
import dev.pawl.internal.enqueue.EnqueueSql;
import dev.pawl.internal.remote.SqlRemoteRuns;
import dev.pawl.spi.Leadership;
import dev.pawl.spi.RemoteRuns;
import dev.pawl.spi.Series;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * A job queue in the database of a {@link DataSource}. Programs enqueue through it, and a {@link Worker} runs its jobs. Thread-safe; one
 * instance for each database is enough. It uses connections of the pool and, on PostgreSQL, one more for each worker, to listen for new
 * jobs (see {@link JobQueueBuilder#notifications}).
 *
 * <p>A job whose enqueue has committed is run until it is completed, cancelled or discarded.
 *
 * <p>Its methods enqueue in a transaction of their own. They join a surrounding transaction instead if the queue knows the {@linkplain
 * JobQueueBuilder#transactions transactions of a framework}, or if the pool is Spring's {@code TransactionAwareDataSourceProxy} and {@code
 * pawl-spring} is on the class path. The jobs then exist if, and as soon as, that transaction commits. To enqueue in any other transaction,
 * pass its connection to {@link #within}.
 */
public final class JobQueue implements Enqueuer, AutoCloseable {
    private final QueueRuntime runtime;
    private final SqlAdmin admin;
    private final JobWriter jobs;
    private final Enqueuer own;

    JobQueue(QueueRuntime runtime, SqlAdmin admin, JobWriter jobs) {
        this.runtime = runtime;
        this.admin = admin;
        this.jobs = jobs;
        this.own = new JobEnqueuer(jobs, null);
    }

    /**
     * Opens the queue with default options: detects the database product, and creates or updates the tables.
     *
     * @param dataSource the pool; PostgreSQL, MySQL, MariaDB or SQLite
     * @return the queue
     * @throws SchemaException if the database is not supported, or its tables do not fit this version of Pawl
     * @throws DatabaseException if the database cannot be reached or refuses a statement
     */
    public static JobQueue open(DataSource dataSource) {
        return builder(dataSource).open();
    }

    /**
     * Returns a builder for a queue.
     *
     * @param dataSource the pool; PostgreSQL, MySQL, MariaDB or SQLite
     * @return the builder
     */
    public static JobQueueBuilder builder(DataSource dataSource) {
        return new JobQueueBuilder(dataSource);
    }

    /** {@return the series of values that are issued to jobs one after the other, such as serial numbers} */
    public Slots slots() {
        return new Slots(runtime.database());
    }

    /** {@return the recurring jobs} */
    public Schedules schedules() {
        return new Schedules(runtime);
    }

    /** {@return the limits on concurrency and on start rates} */
    public Limits limits() {
        return new Limits(runtime);
    }

    /**
     * Returns a builder for a batch: jobs that belong together, see {@link Batch}.
     *
     * @param name shown to people, 1 to 200 characters
     * @return the builder; nothing is written until the batch is opened
     * @throws IllegalArgumentException if the name is malformed
     */
    public BatchBuilder batch(String name) {
        return new BatchBuilder(this, name, null, false);
    }

    /**
     * Returns a handle on a batch. Does not read the database.
     *
     * @param id the id of the batch, which need not exist
     * @return the handle
     */
    public Batch batch(long id) {
        return new Batch(this, id, null);
    }

    /**
     * Returns the batch of a running job. Through this handle the run may add jobs even if the batch is sealed, because
     * a batch is not done while one of its jobs runs.
     *
     * @param run a run
     * @return the batch of its job; empty if it belongs to none
     */
    public Optional<Batch> batch(JobRun run) {
        OptionalLong batch = run.job().batch();
        return batch.isEmpty()
                ? Optional.empty()
                : Optional.of(new Batch(this, batch.getAsLong(), run.job().id()));
    }

    /**
     * Returns a builder for a workflow: jobs that depend on each other, see {@link Workflow}.
     *
     * @param name shown to people, 1 to 200 characters
     * @return the builder; nothing is written until the workflow is started
     * @throws IllegalArgumentException if the name is malformed
     */
    public WorkflowBuilder workflow(String name) {
        return new WorkflowBuilder(this, name);
    }

    /**
     * Returns a handle on a workflow. Does not read the database.
     *
     * @param id the id of the workflow, which need not exist
     * @return the handle
     */
    public Workflow workflow(long id) {
        return new Workflow(this, id);
    }

    /**
     * Returns the workflow of a running job, for example to read the results of earlier jobs. Reads the database if the
     * job belongs to a batch.
     *
     * @param run a run
     * @return the workflow of its job; empty if it belongs to none
     * @throws DatabaseException if the database fails
     */
    public Optional<Workflow> workflow(JobRun run) {
        return workflow(run.job());
    }

    /**
     * Returns the workflow of a job. Reads the database if the job belongs to a batch.
     *
     * @param job a job
     * @return its workflow; empty if it belongs to none, or the workflow was pruned
     * @throws DatabaseException if the database fails
     */
    public Optional<Workflow> workflow(Job job) {
        OptionalLong id = admin.batches().workflowOf(job);
        return id.isEmpty() ? Optional.empty() : Optional.of(new Workflow(this, id.getAsLong()));
    }

    /**
     * {@return batches that are neither part of another nor workflows, newest first}
     *
     * @param below only smaller ids; {@link Long#MAX_VALUE} for all
     * @param limit the maximum number of batches
     * @throws DatabaseException if the database fails
     */
    public List<BatchInfo> batches(long below, int limit) {
        return admin.batches().list(below, limit);
    }

    /**
     * {@return the workflows, newest first, each as the batch of its nodes}
     *
     * @param below only smaller ids; {@link Long#MAX_VALUE} for all
     * @param limit the maximum number of workflows
     * @throws DatabaseException if the database fails
     */
    public List<BatchInfo> workflows(long below, int limit) {
        return admin.batches().workflows(below, limit);
    }

    BatchAdmin batchAdmin() {
        return admin.batches();
    }

    /**
     * Returns a handle on a job, including jobs of other processes: its state and its result. Does not read the
     * database.
     *
     * @param id the job's id, which need not exist
     * @param result the type of its result, see {@link JobRun#result}
     * @param <R> the result
     * @return the handle
     */
    public <R> JobHandle<R> handle(long id, Class<R> result) {
        return handle(id, TypeToken.of(result));
    }

    /**
     * Returns a handle on a job whose result has a generic type. Does not read the database.
     *
     * @param id the job's id, which need not exist
     * @param result the type of its result
     * @param <R> the result
     * @return the handle
     */
    public <R> JobHandle<R> handle(long id, TypeToken<R> result) {
        return new JobHandle<>(runtime, admin, id, result);
    }

    /**
     * Returns an enqueuer for the caller's transaction: the jobs exist if, and as soon as, that transaction commits.
     * Does not use the connection yet.
     *
     * <pre>{@code queue.within(connection).enqueue(SEND_WELCOME, new SendWelcome("bob@example.com"));}</pre>
     *
     * @param connection in a transaction, which the caller commits
     * @return the enqueuer; valid until the transaction ends
     */
    public Enqueuer within(Connection connection) {
        return new JobEnqueuer(jobs, Objects.requireNonNull(connection, "connection"));
    }

    @Override
    public <T> EnqueueResult enqueue(JobType<T> type, T payload, EnqueueOptions options) {
        return own.enqueue(type, payload, options);
    }

    @Override
    public EnqueueResult enqueue(JobRequest request) {
        return own.enqueue(request);
    }

    @Override
    public <T> BulkResult enqueueAll(
            JobType<T> type, Iterable<? extends T> payloads, Function<? super T, EnqueueOptions> options) {
        return own.enqueueAll(type, payloads, options);
    }

    @Override
    public BulkResult enqueueAll(Iterable<JobRequest> requests) {
        return own.enqueueAll(requests);
    }

    @Override
    public List<EnqueueResult> enqueueEach(List<JobRequest> requests) {
        return own.enqueueEach(requests);
    }

    @Override
    public BulkResult enqueueFrom(EnqueueOptions options, String query, Object... values) {
        return own.enqueueFrom(options, query, values);
    }

    /**
     * Enqueues a job, or merges it into the live job with the same unique key if that job can be replaced (see {@link
     * OnDuplicate#REPLACE}). The merged job gets the given options, and its delay is counted from now. Repeated calls with a delay
     * therefore debounce: the job runs when no call has followed for the length of the delay.
     *
     * @param type its type
     * @param payload its payload
     * @param options with a unique key
     * @param merge combines the payload of the waiting job (first argument) with the new payload. It is called while the waiting job is
     *     locked, so that no other call can merge into it at the same time
     * @param <T> the payload
     * @return {@link EnqueueResult.Replaced} if the jobs were merged, {@link EnqueueResult.Inserted} if there was no such job, {@link
     *     EnqueueResult.Duplicate} if the existing job cannot be replaced
     * @throws InvalidJobException if there is no unique key, if there is a concurrency key or a batch, or if the payload cannot be encoded
     *     or is too large
     * @throws DatabaseException if the database fails; then the job may or may not have been written
     */
    public <T> EnqueueResult enqueueMerged(
            JobType<T> type, T payload, EnqueueOptions options, BinaryOperator<T> merge) {
        return jobs.merged(type, payload, options, merge);
    }

    /**
     * Returns statements that let other languages and triggers enqueue by SQL alone: they create the function {@code pawl_enqueue} on
     * PostgreSQL, a procedure on MySQL and MariaDB, a view to insert into on SQLite, each named with the table prefix. Names and numbers
     * are checked as by this class, but a payload may have up to 16,000,000 bytes, and interceptors and bounds of waiting jobs do not
     * apply. The enqueue commits and rolls back with its transaction. Pawl does not run the statements, because that takes privileges which
     * its user may lack.
     *
     * @return statements to run once, each as a whole, by a user with these privileges; the comments in the first statement explain how to
     *     enqueue
     */
    public List<String> sqlToEnqueue() {
        return EnqueueSql.statements(runtime.database().dialect());
    }

    /**
     * Notifies workers, in this and in other processes, that a transaction has committed in which jobs were enqueued.
     * Optional: without it, workers find the jobs at their next poll.
     *
     * @param queue the queue of the jobs
     */
    public void wake(String queue) {
        runtime.ports().wakes().enqueued(Set.of(Names.check("queue", queue)));
    }

    /**
     * Sends a signal to a job, in a transaction of its own; see {@link RunSteps#await}. The job may already be waiting for the signal, or
     * wait for it later. A job that {@linkplain RunSteps waits} becomes available at once, and workers are notified.
     *
     * @param jobId the job
     * @param signal the signal
     * @param value the value that it carries
     * @param <T> the value
     * @return whether the job received the signal
     * @throws InvalidJobException if the value cannot be encoded or has more than 256 KiB, or if the job has 1,000 steps and signals
     *     already
     * @throws DatabaseException if the database fails; then the signal may or may not have been written, and can be sent again
     */
    public <T> SignalResult signal(long jobId, Signal<T> signal, T value) {
        return admin.jobs().signal(jobId, signal.name(), runtime.codec().encode(value, signal.type()));
    }

    /** {@return the interface for inspecting and operating the queue} */
    public Admin admin() {
        return admin;
    }

    /** {@return whether it only reads, see {@link JobQueueBuilder#readOnly}} */
    public boolean isReadOnly() {
        return runtime.database().isReadOnly();
    }

    /** {@return a description for people: product and version of the database, the strategy and the reason for it} */
    public String describe() {
        return runtime.database().dialect().server() + ": "
                + runtime.ports().store().choice().describe();
    }

    /**
     * Stops notifying workers about new jobs, and refuses further enqueues with an {@link IllegalStateException}.
     * Closes neither workers nor the pool.
     */
    @Override
    public void close() {
        jobs.close();
        runtime.ports().wakes().close();
    }

    /**
     * Gives access to what extensions need: the interfaces {@link RemoteRuns}, {@link Leadership} and {@link Series} of the package {@code
     * dev.pawl.spi}. Modules that come with the library also get internal types, which change without notice.
     *
     * @param type one of these interfaces
     * @param <T> that interface
     * @return its implementation for this queue
     * @throws IllegalArgumentException if the queue has no such interface
     */
    public <T> T unwrap(Class<T> type) {
        if (type == RemoteRuns.class) {
            return type.cast(new SqlRemoteRuns(runtime.database(), runtime.ports(), runtime.completionHook()));
        }
        return Stream.of(runtime, admin.leadership(), admin.series())
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("a queue cannot be unwrapped to " + type.getName()));
    }

    QueueRuntime runtime() {
        return runtime;
    }

    JobWriter jobs() {
        return jobs;
    }
}
