package dev.pawl;

import dev.pawl.admin.JobAdmin;
import dev.pawl.internal.QueueInside;
import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.batch.Callback;
import dev.pawl.internal.enqueue.Backlogs;
import dev.pawl.internal.enqueue.PayloadLimit;
import dev.pawl.internal.enqueue.SqlDoor;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.jdbc.SqlWork;
import dev.pawl.internal.store.BatchHeader;
import dev.pawl.internal.store.JobStore;
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
 * A job queue in the database behind a {@link DataSource}: the place to enqueue, and what a {@link Worker} works on.
 * Thread-safe; one for each database is enough. It uses the pool's connections and, on PostgreSQL, one of its own to
 * hear of new jobs (see {@link JobQueueBuilder#notifications}). Closing it does not close the pool.
 *
 * <p>A job whose enqueue committed is run until it is completed, cancelled or discarded.
 *
 * <p>Methods that take no connection enqueue in transactions of their own. There are two exceptions: if the queue knows the
 * {@linkplain JobQueueBuilder#transactions transactions of a framework}, or the pool is Spring's
 * {@code TransactionAwareDataSourceProxy}, and a transaction surrounds the call, they join that one, and the jobs exist if,
 * and as soon as, it commits.
 */
public final class JobQueue implements AutoCloseable {
    static {
        QueueInside.give(queue -> ((JobQueue) queue).runtime);
    }

    private final QueueRuntime runtime;
    private final EnqueueInterceptor interceptor;
    private final PayloadLimit payloads;
    private final Backlogs backlogs;
    private final JobAdmin admin;
    private volatile boolean closed;

    JobQueue(
            QueueRuntime runtime,
            JobAdmin admin,
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
     * Opens the queue with default options: finds out which database it is, and creates or updates the tables.
     *
     * @param dataSource the pool; PostgreSQL, MySQL, MariaDB or SQLite
     * @return the queue
     * @throws SchemaException if the database is not supported, or its tables do not fit this version of Pawl
     * @throws DatabaseException if the database cannot be reached or refuses
     */
    public static JobQueue open(DataSource dataSource) {
        return builder(dataSource).open();
    }

    /**
     * @param dataSource the pool
     * @return a builder
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

    /** {@return the limits on what runs at once and on how often it starts} */
    public Limits limits() {
        return new Limits(runtime);
    }

    /** {@return the runs that go on outside the processes that claimed them, as those of managers do} */
    public RunsElsewhere runsElsewhere() {
        return new RunsElsewhere(runtime);
    }

    /**
     * Jobs that belong together, see {@link Batch}.
     *
     * @param name for people, 1 to 200 characters
     * @return a batch to be opened
     * @throws InvalidJobException if the name is malformed
     */
    public BatchBuilder batch(String name) {
        return new BatchBuilder(this, name, null, false);
    }

    /**
     * @param id the number of a batch, which is not looked for
     * @return a handle on it
     */
    public Batch batch(long id) {
        return new Batch(this, id, null);
    }

    /**
     * The batch to which the job of a run belongs. By this handle the run may add to it also when it is sealed, because it is not
     * done before the run has ended.
     *
     * @param run a run
     * @return its batch; empty if it belongs to none
     */
    public Optional<Batch> batch(JobRun run) {
        OptionalLong batch = run.job().batch();
        return batch.isEmpty()
                ? Optional.empty()
                : Optional.of(new Batch(this, batch.getAsLong(), run.job().id()));
    }

    /**
     * Jobs that wait for each other, see {@link Workflow}.
     *
     * @param name for people, 1 to 200 characters
     * @return a workflow to be started
     * @throws InvalidJobException if the name is malformed
     */
    public WorkflowBuilder workflow(String name) {
        return new WorkflowBuilder(this, name);
    }

    /**
     * @param id the number of a workflow, which is not looked for
     * @return a handle on it
     */
    public Workflow workflow(long id) {
        return new Workflow(this, id);
    }

    /**
     * The workflow to which the job of a run belongs, to read what those gave back that came before it. Asks the database, if the job is
     * part of anything.
     *
     * @param run a run
     * @return its workflow; empty if it belongs to none
     * @throws DatabaseException if the database fails
     */
    public Optional<Workflow> workflow(JobRun run) {
        OptionalLong id = admin.workflowOf(run.job());
        return id.isEmpty() ? Optional.empty() : Optional.of(new Workflow(this, id.getAsLong()));
    }

    /** As it will be enqueued by somebody else; it is checked now. */
    <T> JobRequest callback(JobType<T> type, T payload) {
        JobRequest callback = request(type, payload, type.defaults());
        String unused = Callback.write(callback);
        return callback;
    }

    /**
     * A job to ask about, also one of another process, and what it gives back.
     *
     * @param id the job's id, which is not looked for
     * @param result the type of its result, see {@link JobRun#result}
     * @param <R> the result
     * @return a handle on it
     */
    public <R> JobHandle<R> handle(long id, Class<R> result) {
        return handle(id, TypeToken.of(result));
    }

    /**
     * The same for results of generic types.
     *
     * @param id the job's id, which is not looked for
     * @param result the type of its result
     * @param <R> the result
     * @return a handle on it
     */
    public <R> JobHandle<R> handle(long id, TypeToken<R> result) {
        return new JobHandle<>(runtime, admin, id, result);
    }

    /**
     * Enqueues a job in a transaction of its own, or in the surrounding one (see above), with the type's default options.
     *
     * @param type its type
     * @param payload its payload
     * @param <T> the payload
     * @return what became of it
     * @throws InvalidJobException if the payload cannot be encoded or is too large
     * @throws DatabaseException if the database fails; then the job may or may not have been written
     */
    public <T> EnqueueResult enqueue(JobType<T> type, T payload) {
        return enqueue(type, payload, type.defaults());
    }

    /**
     * Enqueues a job in a transaction of its own, or in the surrounding one (see above).
     *
     * @param type its type
     * @param payload its payload
     * @param options how
     * @param <T> the payload
     * @return what became of it
     * @throws InvalidJobException if the payload cannot be encoded or is too large
     * @throws DatabaseException if the database fails; then the job may or may not have been written
     */
    public <T> EnqueueResult enqueue(JobType<T> type, T payload, EnqueueOptions options) {
        return commit(List.of(request(type, payload, options))).get(0);
    }

    /**
     * Enqueues a job, or merges it into the one that has the unique key already, if that has not begun: in a transaction of
     * its own, or in the surrounding one (see above). The merged job gets these options, its delay counted from now, so that a job with a delay runs when nothing
     * more has come for so long.
     *
     * @param type its type
     * @param payload its payload
     * @param options with a unique key
     * @param merge makes one payload of the waiting job's and this one; called while that job is locked, so no other can be
     *     merged into it at the same time
     * @param <T> the payload
     * @return what became of it: {@link EnqueueResult.Replaced} if it was merged, {@link EnqueueResult.Duplicate} if the
     *     other job has begun, or cannot be replaced (see {@link OnDuplicate#REPLACE})
     * @throws InvalidJobException if there is no unique key, or the payload cannot be encoded or is too large
     * @throws DatabaseException if the database fails; then the job may or may not have been written
     */
    public <T> EnqueueResult enqueueMerged(
            JobType<T> type, T payload, EnqueueOptions options, BinaryOperator<T> merge) {
        if (options.uniqueKey() == null) {
            throw new InvalidJobException("jobs are merged by their unique key: give options.uniqueKey(…)");
        }
        EnqueueOptions replacing = options.onDuplicate(OnDuplicate.REPLACE); // refuses a key
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

    /** Writes jobs. */
    @FunctionalInterface
    private interface Writing<T> {
        /**
         * @param joins whether the transaction is somebody else's
         */
        T on(Connection connection, boolean joins) throws SQLException;
    }

    /** Writes jobs and tells workers: in the transaction that surrounds this thread, or in one of its own. */
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
     * Enqueues an encoded job in a transaction of its own, or in the surrounding one (see above).
     *
     * @param request the job
     * @return what became of it
     * @throws InvalidJobException if the payload is too large
     * @throws DatabaseException if the database fails; then the job may or may not have been written
     */
    public EnqueueResult enqueue(JobRequest request) {
        return commit(List.of(checked(request))).get(0);
    }

    /**
     * Enqueues a job within the caller's transaction, with the type's default options: the job exists if, and as soon
     * as, that transaction commits.
     *
     * @param connection in a transaction of the caller, who commits it
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
     * Enqueues a job within the caller's transaction.
     *
     * @param connection in a transaction of the caller, who commits it
     * @param type its type
     * @param payload its payload
     * @param options how
     * @param <T> the payload
     * @return the result, provided the transaction commits
     * @throws InvalidJobException if the payload cannot be encoded or is too large
     * @throws DatabaseException if the database fails
     */
    public <T> EnqueueResult enqueue(Connection connection, JobType<T> type, T payload, EnqueueOptions options) {
        return join(connection, List.of(request(type, payload, options))).get(0);
    }

    /**
     * Enqueues an encoded job within the caller's transaction.
     *
     * @param connection in a transaction of the caller, who commits it
     * @param request the job
     * @return the result, provided the transaction commits
     * @throws InvalidJobException if the payload is too large
     * @throws DatabaseException if the database fails
     */
    public EnqueueResult enqueue(Connection connection, JobRequest request) {
        return join(connection, List.of(checked(request))).get(0);
    }

    /**
     * Enqueues many jobs, 1,000 or about 4 MB in each transaction and round trip, in constant memory however many there
     * are. If it fails, the batches before have been committed. In a surrounding transaction (see above) all batches join
     * that one.
     *
     * @param type their type; its default options are used
     * @param payloads read once
     * @param <T> the payload
     * @return how many were inserted and how many were there before
     * @throws InvalidJobException if a payload cannot be encoded or is too large
     * @throws DatabaseException if the database fails
     */
    public <T> BulkResult enqueueAll(JobType<T> type, Iterable<? extends T> payloads) {
        return enqueueAll(type, payloads, payload -> type.defaults());
    }

    /**
     * The same with options for each job.
     *
     * @param type their type
     * @param payloads read once
     * @param options the options for each payload
     * @param <T> the payload
     * @return how many were inserted and how many were there before
     * @throws InvalidJobException if a payload cannot be encoded or is too large
     * @throws DatabaseException if the database fails
     */
    public <T> BulkResult enqueueAll(
            JobType<T> type, Iterable<? extends T> payloads, Function<? super T, EnqueueOptions> options) {
        return Bulk.<T>write(payloads, payload -> request(type, payload, options.apply(payload)), this::commit);
    }

    /**
     * The same from a stream, which is read lazily and closed.
     *
     * @param type their type; its default options are used
     * @param payloads read once
     * @param <T> the payload
     * @return how many were inserted and how many were there before
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
     * The same within the caller's transaction: all or none.
     *
     * @param connection in a transaction of the caller, who commits it
     * @param type their type; its default options are used
     * @param payloads read once
     * @param <T> the payload
     * @return how many were inserted and how many were there before
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
     * Enqueues many encoded jobs, 1,000 or about 4 MB in each transaction and round trip, in constant memory. If it fails,
     * the batches before have been committed. In a surrounding transaction (see above) all batches join that one.
     *
     * @param requests read once
     * @return how many were inserted and how many were there before
     * @throws InvalidJobException if a payload is too large
     * @throws DatabaseException if the database fails
     */
    public BulkResult enqueueAll(Iterable<JobRequest> requests) {
        return Bulk.write(requests, this::checked, this::commit);
    }

    /**
     * Enqueues some encoded jobs within the caller's transaction: jobs without a unique key go 1,000, or about 4 MB,
     * per round trip; jobs with a key go one at a time, sorted by key.
     *
     * @param connection in a transaction of the caller, who commits it
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
     * Enqueues a job for each row of a query, within the caller's transaction: for data that lies in the same database, such as
     * everybody who is to get a mail. The rows go through the same checks as any other enqueue.
     *
     * @param connection in a transaction of the caller, who commits it
     * @param options of all of them
     * @param query whose first column is the kind, and whose second is the payload as the codec writes it, JSON by default;
     *     with {@code ?} for values. How many of its rows are held in memory is up to the driver
     * @param values for the query, bound in order
     * @return how many were enqueued
     * @throws InvalidJobException if the connection is not in a transaction, the query has not exactly two columns, or a row
     *     is not valid; then the transaction is to be rolled back
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
     * What makes it possible to enqueue by SQL alone, from triggers or other languages: the function {@code pawl_enqueue} on
     * PostgreSQL, a procedure on MySQL and MariaDB, a view to insert into on SQLite; with the tables' prefix, and with the checks
     * that enqueues have here. Jobs so enqueued commit and roll back with the transaction. Pawl does not make it, because
     * not everybody may.
     *
     * @return statements to be run once, each as a whole, by somebody who may; the comments of the first say how to enqueue
     */
    public List<String> sqlToEnqueue() {
        return SqlDoor.statements(runtime.database().dialect());
    }

    /**
     * Tells workers, in this and other processes, that a transaction in which jobs were enqueued has committed. Never
     * needed, because workers poll; it only saves the wait.
     *
     * @param queue the queue of the jobs
     */
    public void wake(String queue) {
        runtime.ports().wakes().enqueued(Set.of(Names.check("queue", queue)));
    }

    /**
     * Tells a job what it waits for, or will wait for: see {@link RunSteps#await}. In a transaction of its own. A job that
     * {@link RunSteps waits} for it is available at once; workers are told.
     *
     * @param jobId the job
     * @param signal which one
     * @param value what comes with it
     * @param <T> the value
     * @return what became of it
     * @throws InvalidJobException if the value cannot be encoded, or has more than 256 KiB
     * @throws DatabaseException if the database fails; then it may or may not have been given: give it again
     */
    public <T> SignalResult signal(long jobId, Signal<T> signal, T value) {
        return admin.signal(jobId, signal.name(), runtime.codec().encode(value, signal.type()));
    }

    /** {@return the interface for inspecting and operating the queue} */
    public JobAdmin admin() {
        return admin;
    }

    /** {@return what the database is and how Pawl uses it, for people to read: product, version, strategy and why} */
    public String describe() {
        return runtime.database().dialect().server() + ", "
                + "lanes, and for jobs with rows of their own "
                + runtime.ports().store().choice().strategy() + ": "
                + runtime.ports().store().choice().reason();
    }

    /**
     * Stops telling workers about new jobs; from now on enqueues are refused with an {@link IllegalStateException}. Does not close workers
     * or the pool.
     */
    @Override
    public void close() {
        closed = true;
        runtime.ports().wakes().close();
    }

    QueueRuntime runtime() {
        return runtime;
    }

    <T> JobRequest request(JobType<T> type, T payload, EnqueueOptions options) {
        Object given = payload; // a program that is not checked for null may give it all the same
        if (given == null && !type.payloadType().equals(TypeToken.of(Void.class))) {
            throw new InvalidJobException("a payload of kind '" + type.kind()
                    + "' is null: its handler would get null, and fail on every attempt; for jobs without a payload use"
                    + " JobType.of(\"" + type.kind() + "\", Void.class)");
        }
        return checked(new JobRequest(type.kind(), runtime.codec().encode(payload, type.payloadType()), options));
    }

    /** Each job passes here once: {@link #commit} and {@link #join} take what came out. */
    private JobRequest checked(JobRequest request) {
        if (closed) {
            throw new IllegalStateException("the queue is closed, so a job of kind '" + request.kind()
                    + "' was not enqueued: close the queue after whatever enqueues, such as handlers of workers");
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

    /** Writes something with jobs in a transaction of its own, or in the surrounding one, and tells workers. */
    <R> R writing(String doing, List<JobRequest> jobs, SqlWork<R> work) {
        return Failures.wrapped(
                doing,
                () -> inSurroundingOrOwn(queues(jobs), (connection, joins) -> {
                    backlogs.admit(connection, jobs, joins);
                    return work.on(connection);
                }));
    }

    /** The same in the caller's transaction. */
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

    /** Such a job has two rows. */
    private static boolean needsTransaction(JobRequest job) {
        EnqueueOptions options = job.options();
        return options.key() != null
                || options.headers().containsKey(BatchHeader.NAME)
                || (options.uniqueKey() != null
                        && (options.uniqueFor() != null || options.uniqueWhile() != UniqueWhile.LIVE));
    }

    /** Otherwise each batch would commit on its own, and a failure would leave some of them behind. */
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
