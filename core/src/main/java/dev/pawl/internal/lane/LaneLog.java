package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The rows of a lane's jobs, which are never changed: read and deleted; and how far they have been claimed. */
final class LaneLog {
    /** Where the next claim of a lane begins: the end of its last range, at first 0. Binds the lane. */
    static final String END =
            "COALESCE((SELECT last_id FROM pawl_lane_range WHERE lane = ? ORDER BY after_id DESC LIMIT 1), 0)";

    private LaneLog() {}

    /**
     * Deletes the jobs of a range, and no other: one that was committed late may lie between them (twin
     * {@code PruneExact}).
     */
    static void delete(Connection connection, Dialect dialect, RangeKey range, IdSet ids) throws SQLException {
        if (ids.fills(range.after())
                && !dialect.drawsIdsFromLanes()) { // there it would wait for the row behind the last
            String sql = dialect.sql("DELETE FROM pawl_lane_job WHERE lane = ? AND id >= ? AND id <= ?");
            try (PreparedStatement statement = dialect.planned(connection, sql)) {
                statement.setInt(1, range.lane());
                statement.setLong(2, ids.first());
                statement.setLong(3, ids.last());
                statement.executeUpdate();
            }
        } else {
            int unused = delete(connection, dialect, range.lane(), ids.all());
        }
    }

    /** {@return how many there were} */
    static int delete(Connection connection, Dialect dialect, int lane, List<Long> ids) throws SQLException {
        String sql = dialect.sql(dialect.deleteLaneJobs() + " WHERE lane = ? AND " + dialect.anyOf("id", ids.size()));
        try (PreparedStatement statement = dialect.planned(connection, sql)) {
            statement.setInt(1, lane);
            dialect.bindIds(statement, 2, ids);
            return statement.executeUpdate();
        }
    }

    /** {@return the ids of a range's jobs of some kinds, as far as they have not been deleted} */
    static List<Long> ofKinds(Connection connection, Dialect dialect, RangeRow range, Collection<String> kinds)
            throws SQLException {
        String sql = dialect.sql("SELECT id FROM pawl_lane_job WHERE lane = ? AND id > ? AND id <= ? AND kind IN ("
                + "?, ".repeat(kinds.size() - 1) + "?)");
        try (PreparedStatement statement = dialect.planned(connection, sql)) {
            statement.setInt(1, range.key().lane());
            statement.setLong(2, range.key().after());
            statement.setLong(3, range.ids().last());
            int index = 4;
            for (String kind : kinds) {
                statement.setString(index++, kind);
            }
            List<Long> ids = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    if (range.ids().placeOf(rows.getLong(1)) >= 0) { // else it was committed late
                        ids.add(rows.getLong(1));
                    }
                }
            }
            return ids;
        }
    }

    /**
     * {@return ids of a lane, ascending}
     *
     * @param after beyond this one
     * @param last up to this one
     * @param limit how many at most
     */
    static List<Long> ids(Connection connection, Dialect dialect, int lane, long after, long last, int limit)
            throws SQLException {
        String sql = dialect.sql("SELECT id FROM " + dialect.laneJobs() + " WHERE " + dialect.inLaneAfter("?")
                + " AND id <= ? ORDER BY lane, id LIMIT " + dialect.laneLimit());
        try (PreparedStatement statement = dialect.planned(connection, sql)) {
            int index = dialect.bindLaneAfter(statement, 1, lane, (at, query) -> query.setLong(at, after));
            statement.setLong(index++, last);
            statement.setInt(index, limit);
            List<Long> ids = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getLong(1));
                }
            }
            return ids;
        }
    }
}
