package dev.pawl.api;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Jobs of one kind that a {@link ChunkHandler} runs in one call. Each is claimed, leased, retried and recorded
 * individually. Thread-safe; must not be used after the handler has returned.
 *
 * @param <T> the payload of each job
 */
public interface Chunk<T> {
    /** {@return the jobs in the order in which they were claimed; at least one, immutable} */
    List<Item<T>> items();

    /** {@return their payloads, in the same order} */
    default List<T> payloads() {
        return items().stream().map(Item::payload).toList();
    }

    /** {@return true once the runs of all jobs in the call should end, see {@link JobRun#isCancelled}} */
    default boolean isCancelled() {
        return items().stream().allMatch(item -> item.run().isCancelled());
    }

    /** {@return true once the worker is stopping, and whenever the call should end, see {@link JobRun#isStopping}} */
    default boolean isStopping() {
        return isCancelled()
                || items().stream()
                        .map(Item::run)
                        // a cancelled run ends without the others
                        .anyMatch(run -> run.isStopping() && !run.isCancelled());
    }

    /**
     * Runs {@code work} and completes jobs of the chunk in one transaction: everything is committed, or nothing. It locks and completes the
     * jobs that have no outcome yet and that this worker still holds. A job that the worker no longer holds fails with {@link
     * LeaseLostException}, and nothing is written for it. Call it last, like {@link JobRun#transaction}, because later outcomes of these
     * jobs have no effect.
     *
     * @param work the writes
     * @throws LeaseLostException if this worker holds none of the jobs any more; nothing is written
     * @throws IllegalStateException if every job has an outcome already, if an earlier transaction has completed one of the jobs, or if
     *     {@code work} sets an outcome; nothing is written
     * @throws Exception any exception of {@code work}, after a rollback
     */
    void transaction(TransactionWork<T> work) throws Exception;

    /**
     * The work in a {@link #transaction}.
     *
     * @param <T> the payload of each job
     */
    @FunctionalInterface
    interface TransactionWork<T> {
        /**
         * Writes to the database.
         *
         * @param connection in the transaction that completes the jobs; must not be committed, rolled back or closed
         * @param items the jobs that the transaction completes
         * @throws SQLException from the database
         * @throws Exception to roll everything back
         */
        void run(Connection connection, List<Item<T>> items) throws Exception;
    }

    /**
     * A job of a chunk.
     *
     * @param <T> the payload
     */
    interface Item<T> {
        /** {@return the decoded payload} */
        T payload();

        /**
         * {@return the run of the job, with its log, its result and its transaction} A job of a chunk has no steps,
         * because a step that waits would end the call for all jobs.
         */
        JobRun run();

        /**
         * Sets the outcome of the job. The last call counts. A job without an outcome completes if the handler returns,
         * and fails if it throws.
         *
         * @param outcome any
         */
        void ends(Outcome outcome);

        /**
         * Fails the attempt of the job, as an exception would: the {@link RetryPolicy} decides about the retry.
         *
         * @param cause recorded as the attempt's error
         */
        void fails(Throwable cause);
    }
}
