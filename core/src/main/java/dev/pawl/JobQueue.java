package dev.pawl;

import dev.pawl.admin.Admin;
import dev.pawl.admin.BatchInfo;
import dev.pawl.api.BulkResult;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.EnqueueInterceptor;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobType;
import dev.pawl.api.Names;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.QueueFullException;
import dev.pawl.api.RunSteps;
import dev.pawl.api.SchemaException;
import dev.pawl.api.Signal;
import dev.pawl.api.SignalResult;
import dev.pawl.api.TypeToken;
import dev.pawl.api.UniqueWhile;
import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.admin.BatchAdmin;
import dev.pawl.internal.admin.SqlAdmin;
import dev.pawl.internal.batch.Callback;
import dev.pawl.internal.enqueue.Backlogs;
import dev.pawl.internal.enqueue.PayloadLimit;
import dev.pawl.internal.enqueue.SqlDoor;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.jdbc.SqlWork;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.words.BatchHeader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * A job queue in the database of a {@link DataSource}. Programs enqueue through it, and a {@link Worker} runs its jobs.
 * Thread-safe; one instance for each database is enough. It uses connections of the pool and, on PostgreSQL, one of its
 * own to listen for new jobs (see {@link JobQueueBuilder#notifications}).
 *
 * <p>A job whose enqueue has committed is run until it is completed, cancelled or discarded.
 *
 * <p>Methods without a connection parameter enqueue in a transaction of their own. They join a surrounding transaction
 * instead if the queue knows the {@linkplain JobQueueBuilder#transactions transactions of a framework}, or if the pool
 * is Spring's {@code TransactionAwareDataSourceProxy} and {@code pawl-spring} is on the class path. The jobs then exist
 * if, and as soon as, that transaction commits.
 *
 * <p>Every enqueue throws {@link QueueFullException} if the queue has reached its bound (see
 * {@link JobQueueBuilder#maxWaiting}), and {@link IllegalStateException} after {@link #close}. Enqueues in the caller's
 * transaction throw {@link InvalidJobException} if the connection is in autocommit mode and the job needs a
 * transaction: a job with a concurrency key, a batch, or a unique key with a duration or a scope other than the
 * default.
 */
public final class JobQueue implements AutoCloseable {
    private final QueueRuntime runtime;
    private final EnqueueInterceptor interceptor;
    private final PayloadLimit payloads;
    private final Backlogs backlogs;
    private final SqlAdmin admin;
    private volatile boolean closed;

    JobQueue(
            QueueRuntime runtime,
            SqlAdmin admin,
            EnqueueInterceptor interceptor,
            PayloadLimit payloads,
            Backlogs backlogs) {
        this.runtime = runtime;
        this.interceptor = interceptor;
        this.payloads = payloads;
        this.backlogs = backlogs;
        this.admin = admin;
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

    /** {@return the series of values that jobs take one after the other, such as serial numbers} */
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

    /** {@return the runs that other processes carry out, such as the remote workers of a manager} */
    public RunsElsewhere runsElsewhere() {
        return new RunsElsewhere(runtime);
    }

    /**
     * Returns a builder for a batch: jobs that belong together, see {@link Batch}.
     *
     * @param name shown to people, 1 to 200 characters
     * @return the builder; nothing is written until the batch is opened
     * @throws InvalidJobException if the name is malformed
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
     * @throws InvalidJobException if the name is malformed
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
     * {@return batches that are not part of another, newest first}
     *
     * @param below only smaller ids; {@link Long#MAX_VALUE} for all
     * @param limit the maximum number of batches
     * @throws DatabaseException if the database fails
     */
    public List<BatchInfo> batches(long below, int limit) {
        return admin.batches().list(below, limit);
    }

    /**
     * {@return workflows, newest first, as batches of their nodes}
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

    /** Encodes and checks a callback now, because it is enqueued later, by another process. */
    <T> JobRequest callback(JobType<T> type, T payload) {
        JobRequest callback = request(type, payload, type.defaults());
        String unused = Callback.write(callback);
        return callback;
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
     * Enqueues a job with the default options of its type.
     *
     * @param type its type
     * @param payload its payload
     * @param <T> the payload
     * @return the id of the new or existing job
     * @throws InvalidJobException if the payload cannot be encoded or is too large
     * @throws DatabaseException if the database fails; then the job may or may not have been written
     */
    public <T> EnqueueResult enqueue(JobType<T> type, T payload) {
        return enqueue(type, payload, type.defaults());
    }

    /**
     * Enqueues a job.
     *
     * @param type its type
     * @param payload its payload
     * @param options how to enqueue it; they replace the defaults of the type
     * @param <T> the payload
     * @return the id of the new or existing job
     * @throws InvalidJobException if the payload cannot be encoded or is too large
     * @throws DatabaseException if the database fails; then the job may or may not have been written
     */
    public <T> EnqueueResult enqueue(JobType<T> type, T payload, EnqueueOptions options) {
        return commit(List.of(request(type, payload, options))).get(0);
    }

    /**
     * Enqueues a job, or merges it into the live job with the same unique key if that job can be replaced (see
     * {@link OnDuplicate#REPLACE}). The merged job gets these options, its delay counted from now. Repeated calls with
     * a delay therefore debounce: the job runs once that time has passed without another call.
     *
     * @param type its type
     * @param payload its payload
     * @param options with a unique key
     * @param merge combines the payload of the waiting job (first argument) with this one. It is called while the
     *     waiting job is locked, so that no other call can merge into it at the same time
     * @param <T> the payload
     * @return {@link EnqueueResult.Replaced} if the jobs were merged, {@link EnqueueResult.Inserted} if there was no
     *     such job, {@link EnqueueResult.Duplicate} if the existing job cannot be replaced
     * @throws InvalidJobException if there is no unique key, or the payload cannot be encoded or is too large
     * @throws DatabaseException if the database fails; then the job may or may not have been written
     */
    public <T> EnqueueResult enqueueMerged(
            JobType<T> type, T payload, EnqueueOptions options, BinaryOperator<T> merge) {
        if (options.uniqueKey() == null) {
            throw new InvalidJobException("jobs are merged by their unique key: give options.uniqueKey(…)");
        }
        EnqueueOptions replacing = options.onDuplicate(OnDuplicate.REPLACE); // rejects options that cannot replace
        JobRequest job = request(type, payload, options.onDuplicate(OnDuplicate.KEEP));
        return Failures.wrapped("cannot enqueue a job", () -> {
            Writing<EnqueueResult> work = (connection, joins) -> {
                EnqueueResult first = write(connection, List.of(job), joins).get(0);
                Optional<String> waiting = first instanceof EnqueueResult.Duplicate
                        ? store().waitingPayload(connection, first.jobId())
                        : Optional.empty();
                if (waiting.isEmpty()) {
                    return first;
                }
                T merged = merge.apply(runtime.codec().decode(waiting.get(), type.payloadType()), payload);
                JobRequest both = request(type, merged, replacing);
                return store().enqueue(connection, List.of(both)).get(0);
            };
            return inSurroundingOrOwn(queues(List.of(job)), work);
        });
    }

    /** A piece of work that writes jobs. */
    @FunctionalInterface
    private interface Writing<T> {
        /**
         * @param joins whether the transaction belongs to the caller
         */
        T on(Connection connection, boolean joins) throws SQLException;
    }

    /** Writes jobs and notifies workers: in the surrounding transaction of this thread, or in one of its own. */
    private <T> T inSurroundingOrOwn(Set<String> queues, Writing<T> work) throws SQLException {
        try (Connection surrounding = runtime.pool().surrounding()) {
            if (surrounding != null) {
                T result = work.on(surrounding, true);
                runtime.ports().wakes().expected(surrounding, queues);
                queues.forEach(this::wakeAfterCommit);
                return result;
            }
        }
        T result = runtime.database().transaction(connection -> work.on(connection, false));
        runtime.ports().wakes().enqueued(queues);
        return result;
    }

    private JobStore store() {
        return runtime.ports().store();
    }

    /**
     * Enqueues an encoded job.
     *
     * @param request the job
     * @return the id of the new or existing job
     * @throws InvalidJobException if the payload is too large
     * @throws DatabaseException if the database fails; then the job may or may not have been written
     */
    public EnqueueResult enqueue(JobRequest request) {
        return commit(List.of(checked(request))).get(0);
    }

    /**
     * Enqueues a job in the caller's transaction, with the default options of its type. The job exists if, and as soon
     * as, that transaction commits.
     *
     * @param connection in a transaction, which the caller commits
     * @param type its type
     * @param payload its payload
     * @param <T> the payload
     * @return the result, provided the transaction commits
     * @throws InvalidJobException if the payload cannot be encoded or is too large
     * @throws DatabaseException if the database fails
     */
    public <T> EnqueueResult enqueue(Connection connection, JobType<T> type, T payload) {
        return enqueue(connection, type, payload, type.defaults());
    }

    /**
     * Enqueues a job in the caller's transaction.
     *
     * @param connection in a transaction, which the caller commits
     * @param type its type
     * @param payload its payload
     * @param options how to enqueue it; they replace the defaults of the type
     * @param <T> the payload
     * @return the result, provided the transaction commits
     * @throws InvalidJobException if the payload cannot be encoded or is too large
     * @throws DatabaseException if the database fails
     */
    public <T> EnqueueResult enqueue(Connection connection, JobType<T> type, T payload, EnqueueOptions options) {
        return join(connection, List.of(request(type, payload, options))).get(0);
    }

    /**
     * Enqueues an encoded job in the caller's transaction.
     *
     * @param connection in a transaction, which the caller commits
     * @param request the job
     * @return the result, provided the transaction commits
     * @throws InvalidJobException if the payload is too large
     * @throws DatabaseException if the database fails
     */
    public EnqueueResult enqueue(Connection connection, JobRequest request) {
        return join(connection, List.of(checked(request))).get(0);
    }

    /**
     * Enqueues many jobs in constant memory. Each transaction and round trip writes up to 1,000 jobs or about 4 MB; if
     * one fails, the earlier ones stay committed. In a surrounding transaction all of them join that one.
     *
     * @param type their type; its default options are used
     * @param payloads read once
     * @param <T> the payload
     * @return how many jobs were inserted, and how many existed already
     * @throws InvalidJobException if a payload cannot be encoded or is too large
     * @throws DatabaseException if the database fails
     */
    public <T> BulkResult enqueueAll(JobType<T> type, Iterable<? extends T> payloads) {
        return enqueueAll(type, payloads, payload -> type.defaults());
    }

    /**
     * Enqueues many jobs like {@link #enqueueAll(JobType, Iterable)}, each with options of its own.
     *
     * @param type their type
     * @param payloads read once
     * @param options returns the options for a payload
     * @param <T> the payload
     * @return how many jobs were inserted, and how many existed already
     * @throws InvalidJobException if a payload cannot be encoded or is too large
     * @throws DatabaseException if the database fails
     */
    public <T> BulkResult enqueueAll(
            JobType<T> type, Iterable<? extends T> payloads, Function<? super T, EnqueueOptions> options) {
        return Bulk.<T>write(payloads, payload -> request(type, payload, options.apply(payload)), this::commit);
    }

    /**
     * Enqueues many jobs like {@link #enqueueAll(JobType, Iterable)}, from a stream that is read lazily and closed.
     *
     * @param type their type; its default options are used
     * @param payloads read once
     * @param <T> the payload
     * @return how many jobs were inserted, and how many existed already
     * @throws InvalidJobException if a payload cannot be encoded or is too large
     * @throws DatabaseException if the database fails
     */
    public <T> BulkResult enqueueAll(JobType<T> type, Stream<? extends T> payloads) {
        try (payloads) {
            return enqueueAll(type, (Iterable<T>)
                    () -> payloads.<T>map(payload -> payload).iterator());
        }
    }

    /**
     * Enqueues many jobs in the caller's transaction: all or none.
     *
     * @param connection in a transaction, which the caller commits
     * @param type their type; its default options are used
     * @param payloads read once
     * @param <T> the payload
     * @return how many jobs were inserted, and how many existed already
     * @throws InvalidJobException if a payload cannot be encoded or is too large, or the connection is in autocommit
     *     mode
     * @throws DatabaseException if the database fails
     */
    public <T> BulkResult enqueueAll(Connection connection, JobType<T> type, Iterable<? extends T> payloads) {
        requireTransaction(connection);
        return Bulk.<T>write(
                payloads, payload -> request(type, payload, type.defaults()), batch -> join(connection, batch));
    }

    /**
     * Enqueues many encoded jobs like {@link #enqueueAll(JobType, Iterable)}.
     *
     * @param requests read once
     * @return how many jobs were inserted, and how many existed already
     * @throws InvalidJobException if a payload is too large
     * @throws DatabaseException if the database fails
     */
    public BulkResult enqueueAll(Iterable<JobRequest> requests) {
        return Bulk.write(requests, this::checked, this::commit);
    }

    /**
     * Enqueues encoded jobs in the caller's transaction and returns a result for each. Each round trip writes up to
     * 1,000 jobs or about 4 MB; jobs with a unique key are written one at a time, sorted by key.
     *
     * @param connection in a transaction, which the caller commits
     * @param requests the jobs; at most a few thousand, because they are held in memory
     * @return a result for each, in order
     * @throws InvalidJobException if a payload is too large, or the connection is in autocommit mode
     * @throws DatabaseException if the database fails
     */
    public List<EnqueueResult> enqueueEach(Connection connection, List<JobRequest> requests) {
        requireTransaction(connection);
        List<JobRequest> checked = requests.stream().map(this::checked).toList();
        return checked.isEmpty() ? List.of() : join(connection, checked);
    }

    /**
     * Enqueues a job for each row of a query, in the caller's transaction. For data in the same database, such as one
     * mail for each subscriber. The rows pass the same checks as any other enqueue.
     *
     * @param connection in a transaction, which the caller commits
     * @param options the options of all jobs
     * @param query selects two columns: the kind, and the payload as the codec writes it (JSON by default); with
     *     {@code ?} for values. The driver decides how many rows are held in memory
     * @param values for the placeholders of the query, in order
     * @return how many jobs were inserted, and how many existed already
     * @throws InvalidJobException if the connection is in autocommit mode, the query does not have exactly two columns,
     *     or a row is not valid; the caller must then roll the transaction back
     * @throws DatabaseException if the database fails or refuses the query
     */
    public BulkResult enqueueFrom(Connection connection, EnqueueOptions options, String query, Object... values) {
        requireTransaction(connection);
        return Failures.wrapped("cannot enqueue from a query", () -> {
            try (PreparedStatement statement = connection.prepareStatement(query)) {
                for (int i = 0; i < values.length; i++) {
                    statement.setObject(i + 1, values[i]);
                }
                try (ResultSet rows = statement.executeQuery()) {
                    return Bulk.<JobRequest>write(
                            new QueryRows(rows, options), this::checked, batch -> join(connection, batch));
                }
            }
        });
    }

    /**
     * Returns statements that let other languages and triggers enqueue by SQL alone: they create the function
     * {@code pawl_enqueue} on PostgreSQL, a procedure on MySQL and MariaDB, a view to insert into on SQLite, each named
     * with the table prefix. It applies the same checks as this class, and its jobs commit and roll back with the
     * transaction. Pawl does not create it, because that takes privileges which its user may lack.
     *
     * @return statements to run once, each as a whole, by a user with these privileges; the comments of the first
     *     explain how to enqueue
     */
    public List<String> sqlToEnqueue() {
        return SqlDoor.statements(runtime.database().dialect());
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
     * Sends a signal to a job, in a transaction of its own; see {@link RunSteps#await}. The job may be waiting for it
     * already or come to wait for it later. A job that {@linkplain RunSteps waits} for it becomes available at once,
     * and workers are notified.
     *
     * @param jobId the job
     * @param signal the signal
     * @param value the value that it carries
     * @param <T> the value
     * @return whether the job received the signal
     * @throws InvalidJobException if the value cannot be encoded, or has more than 256 KiB
     * @throws DatabaseException if the database fails; then the signal may or may not have been written, and can be
     *     sent again
     */
    public <T> SignalResult signal(long jobId, Signal<T> signal, T value) {
        return admin.jobs().signal(jobId, signal.name(), runtime.codec().encode(value, signal.type()));
    }

    /** {@return the interface for inspecting and operating the queue} */
    public Admin admin() {
        return admin;
    }

    /** {@return a description for people: product and version of the database, the strategy and the reason for it} */
    public String describe() {
        return runtime.database().dialect().server() + ", "
                + "lanes, and for jobs with rows of their own "
                + runtime.ports().store().choice().strategy() + ": "
                + runtime.ports().store().choice().reason();
    }

    /**
     * Stops notifying workers about new jobs, and refuses further enqueues with an {@link IllegalStateException}.
     * Closes neither workers nor the pool.
     */
    @Override
    public void close() {
        closed = true;
        runtime.ports().wakes().close();
    }

    /**
     * Gives access to the inside of the queue, for the modules that come with the library. Its types change without notice.
     *
     * @param type of the inside
     * @param <T> that type
     * @return the inside
     * @throws IllegalArgumentException if the queue has no such inside
     */
    public <T> T unwrap(Class<T> type) {
        if (!type.isInstance(runtime)) {
            throw new IllegalArgumentException("a queue cannot be unwrapped to " + type.getName());
        }
        return type.cast(runtime);
    }

    QueueRuntime runtime() {
        return runtime;
    }

    <T> JobRequest request(JobType<T> type, T payload, EnqueueOptions options) {
        Object given = payload; // callers without null checks may pass null
        if (given == null && !type.payloadType().equals(TypeToken.of(Void.class))) {
            throw new InvalidJobException("a payload of kind '" + type.kind()
                    + "' is null: its handler would get null, and fail on every attempt; for jobs without a payload use"
                    + " JobType.of(\"" + type.kind() + "\", Void.class)");
        }
        return checked(new JobRequest(type.kind(), runtime.codec().encode(payload, type.payloadType()), options));
    }

    /** Every job passes through this method once; {@link #commit} and {@link #join} get its result. */
    private JobRequest checked(JobRequest request) {
        if (closed) {
            throw new IllegalStateException("the queue is closed, so a job of kind '" + request.kind()
                    + "' was not enqueued: close the queue after everything that enqueues, such as workers");
        }
        JobRequest seen = interceptor.intercept(request);
        seen.options().requireKeyOfUniqueness();
        payloads.require("kind '" + seen.kind() + "'", seen.payload());
        return PayloadKey.drawn(seen, runtime.codec());
    }

    private List<EnqueueResult> commit(List<JobRequest> batch) {
        return Failures.wrapped(
                "cannot enqueue " + batch.size() + " job(s)",
                () -> inSurroundingOrOwn(queues(batch), (connection, joins) -> write(connection, batch, joins)));
    }

    private void wakeAfterCommit(String queue) {
        runtime.pool().afterCommit(queue, () -> runtime.ports().wakes().committed(queue));
    }

    private List<EnqueueResult> join(Connection connection, List<JobRequest> batch) {
        return Failures.wrapped("cannot enqueue " + batch.size() + " job(s)", () -> {
            if (batch.stream().anyMatch(JobQueue::needsTransaction)) {
                requireTransaction(connection);
            }
            List<EnqueueResult> results = write(connection, batch, true);
            runtime.ports().wakes().expected(connection, queues(batch));
            return results;
        });
    }

    /** Writes jobs and other rows in the surrounding transaction or in one of its own, and notifies workers. */
    <R> R writing(String doing, List<JobRequest> jobs, SqlWork<R> work) {
        return Failures.wrapped(
                doing,
                () -> inSurroundingOrOwn(queues(jobs), (connection, joins) -> {
                    backlogs.admit(connection, jobs, joins);
                    return work.on(connection);
                }));
    }

    /** Writes jobs and other rows in the caller's transaction. */
    <R> R writing(Connection connection, List<JobRequest> jobs, SqlWork<R> work) throws SQLException {
        requireTransaction(connection);
        backlogs.admit(connection, jobs, true);
        R result = work.on(connection);
        runtime.ports().wakes().expected(connection, queues(jobs));
        return result;
    }

    private List<EnqueueResult> write(Connection connection, List<JobRequest> batch, boolean joins)
            throws SQLException {
        backlogs.admit(connection, batch, joins);
        return store().enqueue(connection, batch);
    }

    /** Such a job has two rows, which must be written together. */
    private static boolean needsTransaction(JobRequest job) {
        EnqueueOptions options = job.options();
        return options.key() != null
                || options.headers().containsKey(BatchHeader.NAME)
                || (options.uniqueKey() != null
                        && (options.uniqueFor() != null || options.uniqueWhile() != UniqueWhile.LIVE));
    }

    /** In autocommit mode each batch would commit on its own, and a failure would leave the earlier ones behind. */
    private static void requireTransaction(Connection connection) {
        if (Failures.wrapped("cannot enqueue", connection::getAutoCommit)) {
            throw new InvalidJobException(
                    "the connection commits every statement on its own (autocommit), so these jobs would"
                            + " not be written all or none: call setAutoCommit(false), and commit() afterwards");
        }
    }

    private static Set<String> queues(List<JobRequest> batch) {
        return batch.stream().map(request -> request.options().queue()).collect(Collectors.toSet());
    }
}
