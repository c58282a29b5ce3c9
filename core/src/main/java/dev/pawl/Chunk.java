package dev.pawl;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Jobs of one kind that one call of a {@link ChunkHandler} handles together. Each is claimed, leased, tried again and recorded by
 * itself. Thread-safe; not to be used after the handler has returned.
 *
 * @param <T> the payload of each
 */
public interface Chunk<T> {
    /** {@return the jobs, in the order in which they were claimed: one at least. Never changes} */
    List<Item<T>> items();

    /** {@return their payloads, in the same order} */
    default List<T> payloads() {
        return items().stream().map(Item::payload).toList();
    }

    /** {@return true once the call should end, because all of its jobs should: see {@link JobRun#isCancelled}} */
    default boolean isCancelled() {
        return items().stream().allMatch(item -> item.run().isCancelled());
    }

    /** {@return true once the worker is stopping, and whenever the call should end: see {@link JobRun#isStopping}} */
    default boolean isStopping() {
        return isCancelled() || items().stream().anyMatch(item -> item.run().isStopping());
    }

    /**
     * Runs {@code work} and completes jobs of the chunk in one transaction: all is committed, or nothing. These are the jobs that no
     * outcome was said of and that this worker still holds; they are locked first.
     * One that it does not hold any more fails with {@link LeaseLostException} by itself: nothing is written for it. Like
     * {@link JobRun#transaction} it is the last thing to do for them: what is said of them afterwards changes nothing.
     *
     * @param work what to write
     * @throws LeaseLostException if this worker holds none of them any more; nothing is written
     * @throws IllegalStateException if an outcome was said of each, one of them was completed by a transaction already, or {@code work} said an
     *     outcome of one; nothing is written
     * @throws Exception whatever {@code work} throws, after a rollback
     */
    void transaction(TransactionWork<T> work) throws Exception;

    /**
     * Work inside {@link #transaction}.
     *
     * @param <T> the payload of each job
     */
    @FunctionalInterface
    interface TransactionWork<T> {
        /**
         * @param connection in a transaction that completes the jobs; not to be committed, rolled back or closed
         * @param items the jobs that it completes
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
         * {@return its run: what is known of it, its log, its result, a transaction of its own} A job of a chunk takes no steps, because
         * one that begins to wait would end the call for all.
         */
        JobRun run();

        /**
         * Says how its run ended. The last word counts; a job of which nothing is said completes if the handler returns, and fails if it
         * throws.
         *
         * @param outcome any but {@link Outcome.Elsewhere}
         */
        void ends(Outcome outcome);

        /**
         * Says that its attempt failed, as an exception does: it is tried again by the {@link RetryPolicy}.
         *
         * @param cause recorded as the attempt's error
         */
        void fails(Throwable cause);
    }
}
