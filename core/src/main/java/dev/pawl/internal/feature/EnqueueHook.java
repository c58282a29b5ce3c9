package dev.pawl.internal.feature;

import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a feature does when jobs are enqueued, in their transaction. Thread-safe. */
public interface EnqueueHook {
    /**
     * Runs before anything is written, in order to refuse jobs of programs. Not called for the callbacks of batches and the jobs of
     * schedules. The library enqueues these itself, and they must not be lost.
     *
     * @param connection on which the jobs will be written
     * @param jobs of one call, perhaps of several enqueues
     * @param joins whether the transaction is the caller's, which may read an old snapshot
     * @throws SQLException from the driver
     * @throws RuntimeException to refuse the jobs; passed on to the caller of the enqueue
     */
    default void admit(Connection connection, List<JobRequest> jobs, boolean joins) throws SQLException {}

    /** {@return whether the hook is called for a job; quick, and without a statement} */
    boolean concerns(JobRequest job);

    /** {@return whether the jobs for which the hook is called must have rows of their own} */
    default boolean needsRows() {
        return false;
    }

    /** {@return the writer of the jobs for which the hook is called; null if they are written with the other jobs} */
    default @Nullable SingleJobWriter writer() {
        return null;
    }

    /**
     * Runs before the jobs are written, so that a transaction that waits here holds no locks of jobs. Not called if none of the jobs
     * concerns the hook.
     *
     * @param connection in the transaction
     * @param jobs of one enqueue, also those that do not concern the hook
     * @return the jobs to write, and the work afterwards; null to write the same jobs and do nothing afterwards
     * @throws SQLException from the driver
     * @throws RuntimeException to refuse the jobs; passed on to the caller of the enqueue
     */
    default @Nullable Enqueuing before(Connection connection, List<JobRequest> jobs) throws SQLException {
        return null;
    }

    /** One enqueue that a hook has prepared. */
    interface Enqueuing {
        /** {@return the jobs as they are to be written, in the same order} */
        List<JobRequest> jobs();

        /**
         * Runs after the jobs were written.
         *
         * @param connection in the same transaction
         * @param results one for each job; a duplicate was not written
         * @throws SQLException from the driver
         */
        void after(Connection connection, List<EnqueueResult> results) throws SQLException;
    }

    /** Writes each job in statements of its own, because the job may turn out to be a duplicate. All other jobs are written first. */
    interface SingleJobWriter {
        /** {@return the order in which all transactions write such jobs, because two transactions would otherwise deadlock} */
        Comparator<JobRequest> order();

        /**
         * @param connection in the transaction
         * @param job to write
         * @return the result of the job
         * @throws SQLException from the driver
         */
        EnqueueResult write(Connection connection, JobRequest job) throws SQLException;
    }
}
