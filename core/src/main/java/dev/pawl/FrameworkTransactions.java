package dev.pawl;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of the framework that a program is written with, on the database of its queue. With them enqueues join the
 * transaction that surrounds them, and {@link JobRun#transaction} is one of the framework's, so everything that the framework
 * knows about it (templates, mappers, repositories) commits together with the completion of the job.
 * {@code dev.pawl.spring.SpringTransactions} is one; implementations must be thread-safe.
 */
public interface FrameworkTransactions {
    /**
     * The connection of the transaction that surrounds the calling thread.
     *
     * @return in a transaction, to be closed as any other, which leaves the transaction to its owner; null if there is none
     * @throws SQLException if the connection cannot be had
     * @throws RuntimeException to refuse the enqueue, for example because the transaction that surrounds it is not on the
     *     queue's database
     */
    @Nullable
    Connection surrounding() throws SQLException;

    /**
     * Called after jobs were written in the surrounding transaction.
     *
     * @param queue of those jobs; once for each in a transaction is enough
     * @param wake to be run after the transaction has committed, not if it is rolled back; quick
     */
    void afterCommit(String queue, Runnable wake);

    /**
     * Called before work that would be done in vain if it could not be committed: a step of a job, or what {@link #run} is to commit.
     * By default nothing is refused.
     *
     * @throws RuntimeException if a transaction surrounds the calling thread that such work must not be done in
     */
    default void requireNone() {}

    /**
     * Opens a transaction of its own, runs {@code work} in it on the calling thread, and commits. It returns if, and only if,
     * it has committed: what fails after the commit is for its own log.
     *
     * @param work called once, with the connection of the transaction
     * @throws Exception if it cannot be opened or committed, or what {@code work} throws; after a rollback
     */
    void run(JobRun.TransactionWork work) throws Exception;
}
