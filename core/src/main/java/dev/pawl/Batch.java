package dev.pawl;

import dev.pawl.admin.BatchInfo;
import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.store.BatchHeader;
import dev.pawl.internal.words.OwnOptions;
import java.sql.Connection;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that belong together: how far they are is counted, and other jobs are enqueued when all have ended, when the first has
 * failed, when all have completed. A batch is open until it is {@linkplain #seal sealed}, so it may have no job, one, or jobs
 * that come over days, and it may be part of another batch. Thread-safe.
 *
 * <p>A job has <em>failed</em> when it is discarded: while it is tried again it has not. A batch that was done goes on when a
 * person retries one of its jobs, but no callback is enqueued twice.
 */
public final class Batch {
    private final JobQueue queue;
    private final QueueRuntime runtime;
    private final long id;
    private final @Nullable Long member;

    Batch(JobQueue queue, long id, @Nullable Long member) {
        this.queue = queue;
        this.runtime = queue.runtime();
        this.id = id;
        this.member = member;
    }

    /** {@return its number} */
    public long id() {
        return id;
    }

    /**
     * @param options of a job
     * @return the same, and that the job belongs to this batch: for every way to enqueue
     */
    public EnqueueOptions with(EnqueueOptions options) {
        EnqueueOptions ours = OwnOptions.header(options, BatchHeader.NAME, Long.toString(id));
        return member == null ? ours : OwnOptions.header(ours, BatchHeader.ADDED_BY, Long.toString(member));
    }

    /**
     * Enqueues a job of this batch in a transaction of its own, with its type's default options.
     *
     * @param type its type
     * @param payload its payload
     * @param <T> the payload
     * @return what became of it; a {@link EnqueueResult.Duplicate} is not part of the batch
     * @throws InvalidJobException if the batch is sealed, or the job is not valid
     * @throws DatabaseException if the database fails; then the job may or may not have been written
     */
    public <T> EnqueueResult enqueue(JobType<T> type, T payload) {
        return queue.enqueue(type, payload, with(type.defaults()));
    }

    /**
     * Enqueues a job of this batch within the caller's transaction.
     *
     * @param connection in a transaction of the caller, who commits it; until then the batch cannot be sealed
     * @param type its type
     * @param payload its payload
     * @param <T> the payload
     * @return what becomes of it
     * @throws InvalidJobException if the batch is sealed, or the job is not valid
     * @throws DatabaseException if the database fails
     */
    public <T> EnqueueResult enqueue(Connection connection, JobType<T> type, T payload) {
        return queue.enqueue(connection, type, payload, with(type.defaults()));
    }

    /**
     * Enqueues many jobs of this batch, as {@link JobQueue#enqueueAll(JobType, Iterable)} does.
     *
     * @param type their type
     * @param payloads read once
     * @param <T> the payload
     * @return how many were inserted and how many were there before
     * @throws InvalidJobException if the batch is sealed, or a job is not valid
     * @throws DatabaseException if the database fails
     */
    public <T> BulkResult enqueueAll(JobType<T> type, Iterable<? extends T> payloads) {
        EnqueueOptions options = with(type.defaults());
        Function<T, EnqueueOptions> same = payload -> options;
        return queue.enqueueAll(type, payloads, same);
    }

    /** {@return a batch to be opened that is part of this one, which is not done before it} */
    public BatchBuilder batch(String name) {
        return new BatchBuilder(queue, name, id, member != null);
    }

    /**
     * No more jobs come, but for those that its own jobs add. Waits for transactions that add to it. If all jobs have ended, or
     * there are none, the batch is done.
     *
     * @return false if it was sealed already
     * @throws InvalidJobException if there is no such batch any more
     * @throws DatabaseException if the database fails; then it may be sealed or not, so try again
     */
    public boolean seal() {
        return Failures.wrapped(
                "cannot seal batch " + id, () -> runtime.batches().seal(id));
    }

    /**
     * The same within the caller's transaction: sealed if that commits. A job that opens a batch does it best in one transaction,
     * {@linkplain BatchBuilder#open(Connection) opened}, filled and sealed, so that no batch is left open when the job is killed.
     *
     * <p>To be called last: until the commit, runs of the batch wait when they end. A batch to which others add as well needs READ
     * COMMITTED, which sees what they have committed.
     *
     * @param connection in a transaction of the caller, who commits it
     * @return false if it was sealed already
     * @throws InvalidJobException if there is no such batch
     * @throws DatabaseException if the database fails
     */
    public boolean seal(Connection connection) {
        return Failures.wrapped(
                "cannot seal batch " + id, () -> runtime.batches().seal(connection, id));
    }

    /**
     * Holds its jobs back: within about five seconds workers begin none of them any more, whether they wait, are added or are tried again.
     * What runs goes on. One row is written now; a worker that comes upon a job of the batch lays it aside. Batches within this one go on;
     * of a workflow, the nodes are paused, one row each.
     *
     * @throws InvalidJobException if there is no such batch, or it was pruned
     * @throws DatabaseException if the database fails
     */
    public void pause() {
        if (info().isEmpty()) {
            throw new InvalidJobException("there is no batch " + id + ", or it was pruned");
        }
        Failures.wrapped("cannot pause batch " + id, () -> {
            runtime.batches().holds().pause(id);
            return true;
        });
    }

    /**
     * Lets its jobs go again: what was laid aside is available now, page by page in some statements for 500 jobs each. What a worker lays
     * aside before it hears of this follows within about five seconds.
     *
     * @return whether it was paused
     * @throws DatabaseException if the database fails; then some may be available and others not, so call again
     */
    public boolean resume() {
        return Failures.wrapped(
                "cannot resume batch " + id, () -> runtime.batches().holds().resume(id));
    }

    /** {@return how far it is; empty if it was pruned} */
    public Optional<BatchInfo> info() {
        return Failures.wrapped(
                "cannot look at batch " + id, () -> runtime.batches().find(id));
    }
}
