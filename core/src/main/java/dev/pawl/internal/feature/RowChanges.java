package dev.pawl.internal.feature;

import dev.pawl.admin.JobFilter;
import dev.pawl.internal.jdbc.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * What a feature does when jobs change outside of their runs, by people, signals, batches and workflows. There is a method for each {@link
 * Transition} that calls this hook. By default a method does nothing. It runs in a transaction that has locked the jobs, unless its
 * description says otherwise. One object is used for one call, which may change many jobs in many transactions.
 */
public interface RowChanges {
    /**
     * Waiting jobs go to another queue.
     *
     * @param connection in the transaction
     * @param ids of jobs whose rows still name the old queue
     * @param queue the new one
     * @throws SQLException from the driver
     */
    default void moving(Connection connection, List<Long> ids, String queue) throws SQLException {}

    /**
     * All jobs of the call have been moved; runs outside of any transaction.
     *
     * @param database for transactions
     * @return queues in which jobs became available by it
     */
    default Set<String> afterMoves(Database database) {
        return Set.of();
    }

    /**
     * Waiting jobs get another priority.
     *
     * @param connection in the transaction
     * @param ids of these jobs
     * @param priority the new one
     * @throws SQLException from the driver
     */
    default void prioritizing(Connection connection, List<Long> ids, int priority) throws SQLException {}

    /**
     * Waiting jobs are due at another moment.
     *
     * @param connection in the transaction
     * @param ids of jobs whose rows have the new moment
     * @throws SQLException from the driver
     */
    default void rescheduled(Connection connection, List<Long> ids) throws SQLException {}

    /**
     * Waiting jobs were brought forward by a retry of many jobs.
     *
     * @param connection in the transaction
     * @param ids of jobs whose rows have the new moment
     * @throws SQLException from the driver
     */
    default void retried(Connection connection, List<Long> ids) throws SQLException {}

    /**
     * A blocked job was made available by a retry of this job, before its key releases it.
     *
     * @param connection in the transaction
     * @param jobId of the job
     * @throws SQLException from the driver
     */
    default void unblocked(Connection connection, long jobId) throws SQLException {}

    /**
     * The signal for which a job waited has come.
     *
     * @param connection in the transaction
     * @param jobId of the job, whose row already has the present moment as its due time
     * @param isBlocked whether the job is blocked, so that the signal does not make it available
     * @throws SQLException from the driver
     */
    default void signalled(Connection connection, long jobId, boolean isBlocked) throws SQLException {}

    /**
     * Pending jobs have become available, because the jobs before their node have finished.
     *
     * @param connection in the transaction
     * @param ids of jobs, whose rows have the present moment
     * @param anyKey whether some of them have concurrency keys, by their rows
     * @throws SQLException from the driver
     */
    default void started(Connection connection, List<Long> ids, boolean anyKey) throws SQLException {}

    /**
     * Revived jobs are pending after all, because the jobs before their node have not finished.
     *
     * @param connection in the transaction
     * @param ids of jobs, whose rows say so
     * @param anyKey whether some of them have concurrency keys, by their rows
     * @throws SQLException from the driver
     */
    default void pending(Connection connection, List<Long> ids, boolean anyKey) throws SQLException {}

    /**
     * Paused jobs have become available, or due.
     *
     * @param connection in the transaction
     * @param ids of jobs, whose rows say so
     * @throws SQLException from the driver
     */
    default void resumed(Connection connection, List<Long> ids) throws SQLException {}

    /**
     * The transaction that resumed jobs has committed; runs outside of any transaction.
     *
     * @param database for transactions
     * @return queues in which jobs became available by it
     */
    default Set<String> afterResumes(Database database) {
        return Set.of();
    }

    /**
     * Finished jobs wait again.
     *
     * @param connection in the transaction
     * @param ids of jobs, which have rows again
     * @throws SQLException from the driver
     */
    default void revived(Connection connection, List<Long> ids) throws SQLException {}

    /**
     * Jobs are about to be erased.
     *
     * @param jobs whose rows, and linked rows, are still there
     * @throws SQLException from the driver
     */
    default void erasing(RemovedJobs jobs) throws SQLException {}

    /**
     * Some jobs of the call were changed, and more may follow; runs outside of any transaction.
     *
     * @param database for transactions
     * @param filter that these jobs match
     * @throws SQLException from the driver
     */
    default void afterPage(Database database, JobFilter filter) throws SQLException {}

    /**
     * All jobs of the call have been erased; runs outside of any transaction.
     *
     * @param database for transactions
     * @param filter that these jobs match
     * @throws SQLException from the driver
     */
    default void afterErasures(Database database, JobFilter filter) throws SQLException {}
}
