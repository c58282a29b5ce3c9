package dev.pawl;

import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.batch.NewBatch;
import dev.pawl.internal.jdbc.Failures;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** What a batch is to do. Confined to one thread; {@link #open()} makes it. */
public final class BatchBuilder {
    private static final int MOST = 1_000_000;

    private final JobQueue queue;
    private final String name;
    private final @Nullable Long parent;
    private final boolean byJob;
    private @Nullable JobRequest onDone;
    private @Nullable JobRequest onFailed;
    private @Nullable JobRequest onSuccess;
    private int stopPercent;
    private int stopAfter;
    private int canary;

    BatchBuilder(JobQueue queue, String name, @Nullable Long parent, boolean byJob) {
        this.queue = queue;
        this.name = Names.checkKey("batch", name);
        this.parent = parent;
        this.byJob = byJob;
    }

    /**
     * Enqueues a job when all have ended, however: once, by the transaction that ends the last one. Its header
     * {@code pawl-callback-of} is the number of the batch. If the batch is part of another one, so is this job.
     *
     * @param type its type; of its default options queue, priority and attempts count, and others are refused
     * @param payload its payload
     * @param <T> the payload
     * @return this
     * @throws InvalidJobException if it cannot be encoded, is too large, or has other options
     */
    public <T> BatchBuilder onDone(JobType<T> type, T payload) {
        onDone = queue.callback(type, payload);
        return this;
    }

    /**
     * Enqueues a job when the first one is discarded: once, see {@link #onDone}.
     *
     * @param type its type
     * @param payload its payload
     * @param <T> the payload
     * @return this
     * @throws InvalidJobException if it cannot be encoded, is too large, or has other options
     */
    public <T> BatchBuilder onFailed(JobType<T> type, T payload) {
        onFailed = queue.callback(type, payload);
        return this;
    }

    /**
     * Enqueues a job when all have completed: once, see {@link #onDone}. If some were discarded, and then completed because
     * somebody retried them, that is when the last of them does. A cancelled job has not completed.
     *
     * @param type its type
     * @param payload its payload
     * @param <T> the payload
     * @return this
     * @throws InvalidJobException if it cannot be encoded, is too large, or has other options
     */
    public <T> BatchBuilder onSuccess(JobType<T> type, T payload) {
        onSuccess = queue.callback(type, payload);
        return this;
    }

    /**
     * Cancels what waits when too many have failed. What runs goes on.
     *
     * @param percent more than that many of those that have ended were discarded, 1 to 99
     * @param after of at least so many, 1 to 1,000,000
     * @return this
     * @throws InvalidJobException if it is outside the range
     */
    public BatchBuilder stopWhen(int percent, int after) {
        if (percent < 1 || percent > 99 || after < 1 || after > MOST) {
            throw new InvalidJobException("stopWhen(" + percent + ", " + after
                    + ") is not valid: use 1 to 99 percent, after 1 to " + MOST + " jobs");
        }
        stopPercent = percent;
        stopAfter = after;
        return this;
    }

    /**
     * Lets the first jobs go before the rest: what is added after them waits until that many have completed, and then goes at once. If
     * one of them is discarded or cancelled before, the batch is stopped as by {@link #stopWhen}: what waits is cancelled. Jobs with a
     * delay are not held back, and of those with keys some may be faster.
     *
     * @param first how many go first, 1 to 10,000. Default: all begin at once
     * @return this
     * @throws InvalidJobException if it is outside the range
     */
    public BatchBuilder canary(int first) {
        if (first < 1 || first > 10_000) {
            throw new InvalidJobException("canary(" + first + ") is not valid: use 1 to 10000 jobs");
        }
        canary = first;
        return this;
    }

    /**
     * @return the open batch, committed
     * @throws InvalidJobException if it is to be part of one that is sealed
     * @throws DatabaseException if the database fails
     */
    public Batch open() {
        QueueRuntime runtime = queue.runtime();
        return Failures.wrapped(
                "cannot open a batch",
                () -> new Batch(
                        queue,
                        runtime.database()
                                .transaction(connection -> runtime.batches().open(connection, made())),
                        null));
    }

    /**
     * Within the caller's transaction: the batch exists if that commits.
     *
     * @param connection in a transaction of the caller
     * @return the open batch
     * @throws InvalidJobException if it is to be part of one that is sealed
     * @throws DatabaseException if the database fails
     */
    public Batch open(Connection connection) {
        return Failures.wrapped(
                "cannot open a batch",
                () -> new Batch(queue, queue.runtime().batches().open(connection, made()), null));
    }

    private NewBatch made() {
        return new NewBatch(name, parent, byJob, onDone, onFailed, onSuccess, stopPercent, stopAfter, canary);
    }
}
