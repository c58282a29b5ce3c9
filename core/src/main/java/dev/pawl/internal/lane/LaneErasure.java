package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Deletes completed jobs of a lane before their time. Their range stays, and names their ids. A range that is still counted,
 * because jobs may be committed late between its own, is left alone: the count would not come out.
 */
public final class LaneErasure {
    private final Dialect dialect;

    /**
     * @param dialect the product
     */
    public LaneErasure(Dialect dialect) {
        this.dialect = dialect;
    }

    /**
     * @param connection in a transaction
     * @param lane of the jobs
     * @param ids ascending; those that are not completed, or not in this lane, are left alone
     * @return the ids of the jobs that were deleted
     * @throws SQLException from the driver
     */
    public List<Long> erase(Connection connection, int lane, List<Long> ids) throws SQLException {
        List<Long> erased = new ArrayList<>();
        int next = 0;
        while (next < ids.size()) {
            long id = ids.get(next);
            long after = before(connection, lane, id);
            // the range first, as everybody does who deletes its jobs
            RangeRow range = after < 0
                    ? null
                    : RangeRow.read(
                            connection,
                            dialect,
                            new RangeKey(lane, after),
                            "AND recount_at IS NULL " + dialect.skipLocked());
            if (range == null) { // somebody has locked it, or it is still counted
                next++;
                continue;
            }
            List<Long> done = new ArrayList<>();
            do {
                int place = range.ids().placeOf(ids.get(next));
                if (place >= 0 && range.done().get(place)) {
                    done.add(ids.get(next));
                }
                next++;
            } while (next < ids.size() && ids.get(next) <= range.ids().last());
            if (!done.isEmpty()) {
                int unused = LaneLog.delete(connection, dialect, lane, done);
                erased.addAll(done);
            }
        }
        return erased;
    }

    /** {@return the end of the range before that of a job; negative if there is none} */
    private long before(Connection connection, int lane, long id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                dialect.sql("SELECT MAX(after_id) FROM pawl_lane_range WHERE lane = ? AND after_id < ?"))) {
            statement.setInt(1, lane);
            statement.setLong(2, id);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                long after = row.getLong(1);
                return row.wasNull() ? -1 : after;
            }
        }
    }
}
