package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/**
 * Statements for the rows of a lane's jobs, which are never updated, and for the end up to which they have been
 * claimed.
 */
final class LaneLog {
    /** Where the next claim of a lane begins: the end of its last range, or 0. Binds the lane. */
    static final String END =
            "COALESCE((SELECT last_id FROM pawl_lane_range WHERE lane = ? ORDER BY starts_after DESC LIMIT 1), 0)";

    private LaneLog() {}

    /**
     * Deletes exactly the jobs of a range, because a job that was committed late may have an id between their ids (guard {@code PruneExact}
     * of the model {@code lanes.als}).
     */
    static void delete(Connection connection, Dialect dialect, RangeKey range, IdSet ids) throws SQLException {
        if (ids.fills(range.after())
                && !LaneDatabase.of(dialect).drawsIds()) { // InnoDB would also wait for the row after the range
            Sql sql = dialect.planned("DELETE FROM pawl_lane_job WHERE lane = ? AND id >= ? AND id <= ?");
            sql.on(connection, range.lane(), ids.first(), ids.last()).run();
        } else {
            int unused = delete(connection, dialect, range.lane(), ids.all());
        }
    }

    /** {@return how many rows were deleted} */
    static int delete(Connection connection, Dialect dialect, int lane, List<Long> ids) throws SQLException {
        Sql sql = dialect.planned(
                dialect.deleteAlongIds("pawl_lane_job") + " WHERE lane = ? AND " + dialect.anyOf("id", ids.size()));
        return sql.on(connection, lane, ids).update();
    }

    /** {@return the ids of a range's jobs of some kinds, without those that were deleted} */
    static List<Long> ofKinds(Connection connection, Dialect dialect, RangeRow range, Collection<String> kinds)
            throws SQLException {
        Sql sql = dialect.planned("SELECT id FROM pawl_lane_job WHERE lane = ? AND id > ? AND id <= ? AND kind IN ("
                + "?, ".repeat(kinds.size() - 1) + "?)");
        RangeKey key = range.key();
        List<Long> ids = sql.on(connection, key.lane(), key.after(), range.ids().last())
                .bind(kinds.toArray())
                .longs();
        ids.removeIf(id -> range.ids().positionOf(id) < 0); // a job that was committed late
        return ids;
    }

    /**
     * {@return ids of a lane, ascending}
     *
     * @param after only greater ids
     * @param last only ids up to this one
     * @param limit maximum number of ids
     */
    static List<Long> ids(Connection connection, Dialect dialect, int lane, long after, long last, int limit)
            throws SQLException {
        LaneDatabase product = LaneDatabase.of(dialect);
        Sql sql = dialect.planned("SELECT id FROM " + dialect.alongIds("pawl_lane_job") + " WHERE " + product.after("?")
                + " AND id <= ? ORDER BY lane, id LIMIT " + product.limit());
        Sql.Value position = (statement, index) ->
                product.bindAfter(statement, index, lane, (at, query) -> query.setLong(at, after));
        return sql.on(connection, position, last, limit).longs();
    }
}
