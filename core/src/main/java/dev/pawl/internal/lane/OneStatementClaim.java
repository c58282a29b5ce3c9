package dev.pawl.internal.lane;

import dev.pawl.internal.store.ClaimRequest;
import java.sql.Connection;
import java.sql.SQLException;

/** A database's own way to read the next jobs of a lane and write their range in one try. Thread-safe. */
@FunctionalInterface
public interface OneStatementClaim {
    /**
     * One try.
     *
     * @param connection that commits each statement
     * @param lane to claim from
     * @param request what to claim; its kinds are ignored
     * @param inTurn whether to wait for other claims of the lane that wait, too, instead of racing with them
     * @return the jobs that were read, and whether they were claimed
     * @throws SQLException from the driver; if the reply was lost, the range may have been written
     */
    LaneHeadRead claim(Connection connection, Lane lane, ClaimRequest request, boolean inTurn) throws SQLException;
}
