package dev.pawl.internal.feature;

import dev.pawl.api.JobRequest;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.RowStates;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes new jobs, in the way of each database. Thread-safe. */
public interface InsertJobs {
    /** Writes jobs without unique keys, not more than one statement may write; returns their ids in order. */
    List<Long> insert(Connection connection, List<JobRequest> jobs) throws SQLException;

    /**
     * Writes a job with a unique key unless a live job has it. Does not break the caller's transaction, and does not
     * lock the existing job, which may be running and must be able to complete.
     *
     * @param connection of the caller
     * @param job with a unique key
     * @param staleRead whether a plain read in this transaction is known to show an outdated state of the key
     * @return the job that has the key now; null if the job that had it has just finished, so that the caller must try again
     * @throws SQLException from the driver
     */
    @Nullable
    LiveJob insertUnique(Connection connection, JobRequest job, boolean staleRead) throws SQLException;

    /**
     * {@return the condition that finds the job with a bound id if it has not started} It may skip a locked job, for an UPDATE that must
     * not wait long.
     */
    default String waitingJob() {
        return "id = ? AND " + RowStates.CLAIMABLE;
    }

    /** {@return the same condition for an UPDATE that waits for a locked job} */
    static String waitingJob(Dialect dialect) {
        return "id = ? AND " + dialect.isClaimable();
    }
}
