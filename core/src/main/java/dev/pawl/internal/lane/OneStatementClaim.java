package dev.pawl.internal.lane;

import dev.pawl.api.JobRequest;
import dev.pawl.internal.store.ClaimRequest;
import java.sql.Connection;
import java.sql.SQLException;

/** Reads the next jobs of a lane and writes their range in one statement, on databases that support this. Thread-safe. */
public interface OneStatementClaim {
    /**
     * Tries once to claim.
     *
     * @param connection that commits each statement
     * @param lane to claim from
     * @param request what to claim; its kinds are ignored
     * @param inTurn whether to take turns with other claims of the lane instead of racing with them
     * @return the jobs that were read, and whether they were claimed
     * @throws SQLException from the driver; if the reply was lost, the range may have been written
     */
    LaneHeadRead claim(Connection connection, Lane lane, ClaimRequest request, boolean inTurn) throws SQLException;

    /**
     * Writes a job, and its range unless other jobs of the lane may come first. The same guards protect it as an enqueue followed by a
     * claim of this job (docs/inside/lanes.md). The claim's time is taken after the job has got its id. So the last search for late jobs
     * ({@code OpenWriters}) waits for every transaction that has got a smaller id and is still open.
     *
     * @param connection that commits each statement
     * @param lane to write to
     * @param job to write, without values in the rare columns
     * @param request the claim of this job
     * @return the job, and whether it was claimed; no entry if the lane is gone
     * @throws SQLException from the driver; if the reply was lost, the job and the range may have been written
     */
    LaneHeadRead append(Connection connection, Lane lane, JobRequest job, ClaimRequest request) throws SQLException;
}
