package dev.pawl.api;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of the program's framework on the database of the queue. Enqueues join the surrounding transaction, and {@link
 * JobRun#transaction} opens a transaction of the framework, so that writes through the framework (templates, mappers, repositories) commit
 * together with the completion of the job. {@code dev.pawl.spring.SpringTransactions} is an implementation. Implementations must be
 * thread-safe.
 */
public interface FrameworkTransactions {
    /**
     * Returns the connection of the calling thread's transaction.
     *
     * @return the connection; closing it must not end the transaction. Null if there is no transaction
     * @throws SQLException if the connection cannot be obtained
     * @throws RuntimeException to refuse the enqueue, for example because the surrounding transaction is on another
     *     database
     */
    @Nullable
    Connection surrounding() throws SQLException;

    /**
     * Registers a callback for the commit of the surrounding transaction, in which jobs were written.
     *
     * @param queue of those jobs; one callback for each queue and transaction is enough
     * @param wake called after the commit, not after a rollback; quick
     */
    void afterCommit(String queue, Runnable wake);

    /**
     * Checks the calling thread before work that must commit on its own: a step of a job, or the work of {@link #run}.
     * The default implementation accepts every surrounding transaction.
     *
     * @throws RuntimeException if such work must not run in the calling thread's transaction
     */
    default void requireNone() {}

    /**
     * Runs {@code work} on the calling thread in a new transaction, and commits it. The method must return normally if the transaction has
     * committed, and throw an exception if it has not. Failures after the commit must therefore be logged and not thrown.
     *
     * @param work called once, with the connection of the transaction
     * @throws Exception if the transaction cannot be opened or committed, or any exception of {@code work}, after a
     *     rollback
     */
    void run(JobRun.TransactionWork work) throws Exception;
}
