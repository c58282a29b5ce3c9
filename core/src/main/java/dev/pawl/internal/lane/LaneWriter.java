package dev.pawl.internal.lane;

import dev.pawl.api.JobRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Appends jobs to a lane, with database-specific SQL. Thread-safe. */
@FunctionalInterface
public interface LaneWriter {
    /**
     * Appends jobs, in one statement if they fit. The statement that writes the jobs also draws their ids, because jobs could become
     * visible arbitrarily late if an earlier statement had drawn their ids.
     *
     * @param connection in the caller's transaction
     * @param lane the lane's id
     * @param jobs at least one
     * @return their ids in order, or none if the lane is gone, on databases where the same statement can detect that without a lock
     * @throws SQLException from the driver
     */
    List<Long> append(Connection connection, int lane, List<JobRequest> jobs) throws SQLException;
}
