package dev.pawl;

import dev.pawl.admin.BatchInfo;
import dev.pawl.api.BulkResult;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Enqueuer;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobType;
import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.enqueue.OwnOptions;
import dev.pawl.internal.jdbc.Failures;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that belong together. The batch counts their progress and can enqueue callbacks: when all jobs have finished,
 * when the first one has failed, when all have completed. A batch stays open until it is {@linkplain #seal sealed}: it
 * may be empty, and jobs may be added over days. It may be part of another batch. Thread-safe.
 *
 * <p>A job has <em>failed</em> when it is discarded, not while it is retried. If an operator retries a job of a
 * finished batch, the batch is unfinished again, but no callback is enqueued twice.
 */
public final class Batch implements Enqueuer {
    private final JobQueue queue;
    private final QueueRuntime runtime;
    private final long id;
    private final @Nullable Long member;
    private final Enqueuer jobs;

    /**
     * @param member the running job that adds jobs; null if they are added from outside the batch
     */
    Batch(JobQueue queue, long id, @Nullable Long member) {
        this(queue, id, member, queue);
    }

    private Batch(JobQueue queue, long id, @Nullable Long member, Enqueuer jobs) {
        this.queue = queue;
        this.runtime = queue.runtime();
        this.id = id;
        this.member = member;
        this.jobs = jobs;
    }

    /** {@return its id} */
    public long id() {
        return id;
    }

    /**
     * Adds this batch to the options of a job, for use with any method that enqueues.
     *
     * @param options of a job
     * @return a copy with this batch
     */
    public EnqueueOptions with(EnqueueOptions options) {
        return OwnOptions.batch(options, id, member != null);
    }

    private JobRequest with(JobRequest request) {
        return request.options(with(request.options()));
    }

    /**
     * Returns an enqueuer that adds jobs to this batch in the caller's transaction. The batch cannot be sealed before
     * that transaction ends. Does not use the connection yet.
     *
     * @param connection in a transaction, which the caller commits
     * @return the enqueuer; valid until the transaction ends
     */
    public Enqueuer within(Connection connection) {
        return new Batch(queue, id, member, queue.within(connection));
    }

    @Override
    public <T> EnqueueResult enqueue(JobType<T> type, T payload, EnqueueOptions options) {
        return jobs.enqueue(type, payload, with(options));
    }

    @Override
    public EnqueueResult enqueue(JobRequest request) {
        return jobs.enqueue(with(request));
    }

    @Override
    public <T> BulkResult enqueueAll(
            JobType<T> type, Iterable<? extends T> payloads, Function<? super T, EnqueueOptions> options) {
        return jobs.<T>enqueueAll(type, payloads, payload -> with(options.apply(payload)));
    }

    @Override
    public BulkResult enqueueAll(Iterable<JobRequest> requests) {
        return jobs.enqueueAll(() -> StreamSupport.stream(requests.spliterator(), false)
                .map(this::with)
                .iterator());
    }

    @Override
    public List<EnqueueResult> enqueueEach(List<JobRequest> requests) {
        return jobs.enqueueEach(requests.stream().map(this::with).toList());
    }

    @Override
    public BulkResult enqueueFrom(EnqueueOptions options, String query, Object... values) {
        return jobs.enqueueFrom(with(options), query, values);
    }

    /** {@return a builder for an inner batch; this batch is done only after the inner one} */
    public BatchBuilder batch(String name) {
        return new BatchBuilder(queue, name, id, member != null);
    }

    /**
     * Closes the batch to further jobs, except those added by its own jobs. Waits for transactions that are adding
     * jobs. A sealed batch is done when all its jobs have finished; at once if it has none.
     *
     * @return false if it was sealed already
     * @throws InvalidJobException if the batch does not exist, or was pruned
     * @throws DatabaseException if the database fails; then the batch may or may not be sealed, so call again
     */
    public boolean seal() {
        return Failures.wrapped(
                "cannot seal batch " + id, () -> runtime.batches().seal(id));
    }

    /**
     * Seals the batch in the caller's transaction. A job that creates a batch should
     * {@linkplain BatchBuilder#open(Connection) open}, fill and seal it in one transaction, so that no open batch
     * remains if the job is killed.
     *
     * <p>Call it last in the transaction, because outcomes of the batch's jobs cannot be recorded until the commit. If other transactions
     * also add jobs to the batch, use READ COMMITTED, which sees the jobs that they have committed.
     *
     * @param connection in a transaction, which the caller commits
     * @return false if it was sealed already
     * @throws InvalidJobException if the batch does not exist
     * @throws DatabaseException if the database fails
     */
    public boolean seal(Connection connection) {
        return Failures.wrapped(
                "cannot seal batch " + id, () -> runtime.batches().seal(connection, id));
    }

    /**
     * Pauses the batch: within about five seconds, workers stop starting its jobs, including jobs that are added or retried later. Running
     * jobs continue. This call writes one row, and workers pause the jobs as they claim them. Inner batches are not paused, except the
     * nodes of a workflow, for each of which the call writes one more row.
     *
     * @throws InvalidJobException if the batch does not exist, or was pruned
     * @throws DatabaseException if the database fails
     */
    public void pause() {
        if (info().isEmpty()) {
            throw new InvalidJobException("there is no batch " + id + ", or it was pruned");
        }
        Failures.wrapped("cannot pause batch " + id, () -> {
            runtime.batches().pauses().pause(id);
            return true;
        });
    }

    /**
     * Resumes a paused batch. Its paused jobs become available, 500 at a time. A worker that does not know of the resume yet may still
     * pause some jobs. They become available within about five seconds.
     *
     * @return whether it was paused
     * @throws DatabaseException if the database fails; then some jobs may be available and others not, so call again
     */
    public boolean resume() {
        return Failures.wrapped(
                "cannot resume batch " + id, () -> runtime.batches().pauses().resume(id));
    }

    /**
     * Cancels all jobs of the batch and of the batches within it, in several transactions: waiting jobs are cancelled, and
     * the cancellation of running jobs is requested. Jobs that are added during the call may be missed.
     *
     * @return the number of jobs cancelled or requested to stop
     * @throws DatabaseException if the database fails; then some may have been cancelled
     */
    public long cancel() {
        return queue.batchAdmin().cancel(id);
    }

    /**
     * {@return its jobs by ascending id; without those that were pruned or erased}
     *
     * @param after only greater ids; 0 for the first
     * @param limit the maximum number of jobs to read
     * @throws DatabaseException if the database fails
     */
    public List<Job> jobs(long after, int limit) {
        return queue.batchAdmin().jobs(id, after, limit);
    }

    /**
     * {@return the batches that are part of this one, in the order in which they were opened}
     *
     * @param limit the maximum number of batches
     * @throws DatabaseException if the database fails
     */
    public List<BatchInfo> batches(int limit) {
        return queue.batchAdmin().within(id, limit);
    }

    /** {@return its progress; empty if it was pruned} */
    public Optional<BatchInfo> info() {
        return Failures.wrapped(
                "cannot look at batch " + id, () -> runtime.batches().find(id));
    }
}
