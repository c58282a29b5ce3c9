package dev.pawl;

import dev.pawl.api.DatabaseException;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobType;
import dev.pawl.api.Names;
import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.batch.NewBatch;
import dev.pawl.internal.jdbc.Failures;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** Options of a {@link Batch}, which {@link #open()} creates. Confined to one thread. */
public final class BatchBuilder {
    private static final int MAX = 1_000_000;

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
     * Enqueues a job, once, when all jobs of the batch have finished, including cancelled and discarded ones. The job is written in the
     * transaction that finishes the last job or, if the batch is sealed later, in the one that seals it. Its {@link
     * dev.pawl.api.Job#callbackOf} is the id of the batch. If the batch is part of another batch, the job is added to that outer batch.
     *
     * @param type its type; of its default options only queue, priority, attempts, timeout, retry policy, tags and headers may be set
     * @param payload its payload
     * @param <T> the payload
     * @return this
     * @throws InvalidJobException if the payload cannot be encoded or is too large, or the type has other default options
     */
    public <T> BatchBuilder onDone(JobType<T> type, T payload) {
        onDone = queue.jobs().callback(type, payload);
        return this;
    }

    /**
     * Enqueues a job, once, when the first job of the batch is discarded; see {@link #onDone}.
     *
     * @param type its type; of its default options only queue, priority, attempts, timeout, retry policy, tags and headers may be set
     * @param payload its payload
     * @param <T> the payload
     * @return this
     * @throws InvalidJobException if the payload cannot be encoded or is too large, or the type has other default options
     */
    public <T> BatchBuilder onFailed(JobType<T> type, T payload) {
        onFailed = queue.jobs().callback(type, payload);
        return this;
    }

    /**
     * Enqueues a job, once, when all jobs of the batch have completed; see {@link #onDone}. Discarded jobs that an
     * operator retries successfully count as completed; cancelled jobs do not.
     *
     * @param type its type; of its default options only queue, priority, attempts, timeout, retry policy, tags and headers may be set
     * @param payload its payload
     * @param <T> the payload
     * @return this
     * @throws InvalidJobException if the payload cannot be encoded or is too large, or the type has other default options
     */
    public <T> BatchBuilder onSuccess(JobType<T> type, T payload) {
        onSuccess = queue.jobs().callback(type, payload);
        return this;
    }

    /**
     * Cancels the waiting jobs of the batch when too many have failed. Running jobs continue.
     *
     * @param percent the batch stops if more than this share of the finished jobs is discarded, 1 to 99
     * @param after number of finished jobs from which the share is checked, 1 to 1,000,000
     * @return this
     * @throws IllegalArgumentException if a value is outside its range
     */
    public BatchBuilder stopWhen(int percent, int after) {
        if (percent < 1 || percent > 99 || after < 1 || after > MAX) {
            throw new IllegalArgumentException("stopWhen(" + percent + ", " + after
                    + ") is not valid: use 1 to 99 percent, after 1 to " + MAX + " jobs");
        }
        stopPercent = percent;
        stopAfter = after;
        return this;
    }

    /**
     * Runs the first jobs before the rest: jobs added after them are paused until the first jobs have completed. If a job of the batch is
     * discarded or cancelled before that, the batch stops as by {@link #stopWhen}: waiting jobs are cancelled. Jobs with a delay or a
     * concurrency key are not paused.
     *
     * @param first the number of jobs to run first, 1 to 10,000. Default: no job waits for others
     * @return this
     * @throws IllegalArgumentException if it is outside the range
     */
    public BatchBuilder canary(int first) {
        if (first < 1 || first > 10_000) {
            throw new IllegalArgumentException("canary(" + first + ") is not valid: use 1 to 10000 jobs");
        }
        canary = first;
        return this;
    }

    /**
     * Creates the batch in a transaction of its own.
     *
     * @return the open batch
     * @throws InvalidJobException if the batch that it is part of takes no more batches, or does not exist
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
     * Creates the batch in the caller's transaction.
     *
     * @param connection in a transaction, which the caller commits
     * @return the open batch, provided the transaction commits
     * @throws InvalidJobException if the batch that it is part of takes no more batches, or does not exist
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
