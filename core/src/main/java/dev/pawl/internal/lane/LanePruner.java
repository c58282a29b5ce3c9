package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Deletes finished ranges with their jobs, the oldest first and a few in each transaction. Never the newest of a lane,
 * which is where the next claim goes on, and none that follows one that is kept: what lies before the oldest range belongs
 * to none, so a job that turns up there is late.
 */
public final class LanePruner {
    private static final int BATCH = 10;

    private final Database database;
    private final Dialect dialect;
    private final LaneReads reads;

    /**
     * @param database the pool and the dialect
     */
    public LanePruner(Database database) {
        this.database = database;
        this.dialect = database.dialect();
        this.reads = new LaneReads(dialect);
    }

    /** The oldest ranges of a lane, and whether each may go. */
    private record Old(RangeRow row, boolean mayGo, boolean emptied) {}

    /** Deletes what belongs to jobs elsewhere. */
    @FunctionalInterface
    public interface Belongings {
        /**
         * @param connection in a transaction
         * @param ids of completed jobs
         * @throws SQLException from the driver
         */
        void delete(Connection connection, List<Long> ids) throws SQLException;
    }

    /**
     * Deletes ranges that finished at a moment or before it.
     *
     * @param last the moment, by the database's clock
     * @param belongings deletes what else there is of these jobs
     * @return how many jobs were deleted
     * @throws SQLException from the driver
     */
    public long prune(Instant last, Belongings belongings) throws SQLException {
        long pruned = 0;
        for (Lane lane : database.autocommit(reads::lanes)) {
            long some;
            do {
                some = database.transaction(connection -> prune(connection, lane.id(), last, belongings));
                pruned += Math.max(0, some);
            } while (some >= 0 && !Thread.currentThread().isInterrupted());
        }
        return pruned;
    }

    /** {@return how many jobs were deleted; negative if nothing is left to prune} */
    private long prune(Connection connection, int lane, Instant last, Belongings belongings) throws SQLException {
        long pruned = 0;
        int gone = 0;
        for (Old old : oldest(connection, lane, last)) {
            if (!old.mayGo) {
                break;
            }
            RangeRow row = old.row;
            List<Long> done = Moves.at(row.ids(), row.done());
            if (!old.emptied) {
                if (!done.isEmpty()) {
                    belongings.delete(connection, done);
                }
                LaneLog.delete(connection, dialect, row.key(), row.ids());
                pruned += done.size();
            }
            delete(connection, row.key());
            gone++;
        }
        return gone == BATCH ? pruned : pruned > 0 ? pruned : -1;
    }

    /** The newest range is left out. */
    private List<Old> oldest(Connection connection, int lane, Instant last) throws SQLException {
        String sql = dialect.sql("SELECT " + RangeRow.COLUMNS + ", emptied, CASE WHEN lease_expires_at IS NULL"
                + " AND (emptied = TRUE OR finished_at <= " + dialect.moment() + ") THEN 1 ELSE 0 END AS may_go"
                + " FROM pawl_lane_range WHERE lane = ? AND after_id <"
                + " (SELECT newest.after_id FROM (SELECT MAX(after_id) AS after_id FROM pawl_lane_range WHERE lane = ?) newest)"
                + " ORDER BY after_id LIMIT " + BATCH + " " + dialect.forUpdate());
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            dialect.bind(statement, 1, last);
            statement.setInt(2, lane);
            statement.setInt(3, lane);
            List<Old> ranges = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    ranges.add(new Old(RangeRow.of(rows), rows.getInt("may_go") == 1, rows.getBoolean("emptied")));
                }
            }
            return ranges;
        }
    }

    private void delete(Connection connection, RangeKey key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                dialect.sql("DELETE FROM pawl_lane_range WHERE lane = ? AND after_id = ?"))) {
            statement.setInt(1, key.lane());
            statement.setLong(2, key.after());
            statement.executeUpdate();
        }
    }
}
