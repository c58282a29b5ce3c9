package dev.pawl.internal.feature;

import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** What a feature does when jobs are enqueued, in their transaction. Thread-safe. */
public interface EnqueueHook {
    /** {@return whether the hook is called for a job; quick, and without a statement} */
    boolean concerns(JobRequest job);

    /** {@return whether the jobs that the hook is called for must have rows of their own} */
    default boolean needsRows() {
        return false;
    }

    /**
     * Runs before the jobs are written, so that a transaction that waits here holds no locks of jobs. Not called if none of the jobs concerns
     * the hook.
     *
     * @param connection in the transaction
     * @param jobs of one enqueue, also those that do not concern the hook
     * @return what is to be written, and done afterwards
     * @throws SQLException from the driver
     * @throws RuntimeException to refuse the jobs; passed on to the caller of the enqueue
     */
    Enqueuing before(Connection connection, List<JobRequest> jobs) throws SQLException;

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
}
