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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Deletes finished ranges with their jobs, the oldest first and a few in each transaction. Of the newest of a lane only the
 * jobs, because it is where the next claim goes on, and none that follows one that is kept: what lies before the oldest range
 * belongs to none, so a job that turns up there is late.
 */
public final class LanePruner {
    private static final int BATCH = 10;

    private final Database database;
    private final Dialect dialect;
    private final LaneReads reads;
    private final Moves moves;
    private final Thinning thinning;

    /**
     * @param database the pool and the dialect
     */
    public LanePruner(Database database) {
        this.database = database;
        this.dialect = database.dialect();
        this.reads = new LaneReads(dialect);
        this.moves = new Moves(dialect);
        this.thinning = new Thinning(database);
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

    /** How long the lanes of a queue keep what has completed. */
    @FunctionalInterface
    public interface OfQueue {
        /** {@return the terms; null to leave its lanes alone} */
        @Nullable
        LaneTerms terms(String queue);
    }

    /** What was pruned is looked through again, because what is kept for how long has changed, or to leave nothing out. */
    public void startOver() {
        thinning.startOver();
    }

    /**
     * Deletes what has outlived its time.
     *
     * @param terms queue by queue
     * @param belongings deletes what else there is of these jobs
     * @return how many jobs were deleted
     * @throws SQLException from the driver
     */
    public long prune(OfQueue terms, Belongings belongings) throws SQLException {
        long pruned = 0;
        for (Lane lane : database.autocommit(reads::lanes)) {
            LaneTerms own = terms.terms(lane.queue());
            if (own != null) {
                pruned += prune(lane, own, belongings);
                for (LaneTerms.Shorter kinds : own.shorter()) {
                    pruned += thinning.prune(lane.id(), kinds, belongings);
                }
            }
        }
        return pruned;
    }

    private long prune(Lane lane, LaneTerms terms, Belongings belongings) throws SQLException {
        long pruned = 0;
        long some;
        do {
            some = database.transaction(connection -> prune(connection, lane.id(), terms, belongings));
            pruned += Math.max(0, some);
        } while (some >= 0 && !Thread.currentThread().isInterrupted());
        return pruned;
    }

    /** {@return how many jobs were deleted; negative if nothing is left to prune} */
    private long prune(Connection connection, int lane, LaneTerms terms, Belongings belongings) throws SQLException {
        long pruned = 0;
        int gone = 0;
        List<Old> oldest = oldest(connection, lane, terms.last());
        for (Old old : oldest) {
            if (!old.mayGo) {
                break;
            }
            pruned += old.emptied ? 0 : empty(connection, old.row, terms, belongings);
            delete(connection, old.row.key());
            gone++;
        }
        if (gone == BATCH) {
            return pruned;
        }
        if (gone == oldest.size()) {
            pruned += emptyNewest(connection, lane, terms, belongings);
        }
        return pruned > 0 ? pruned : -1;
    }

    /** Deletes the jobs of a range; those that are kept for longer have rows in the history then. */
    private long empty(Connection connection, RangeRow row, LaneTerms terms, Belongings belongings)
            throws SQLException {
        List<Long> done = Moves.at(row.ids(), row.done());
        if (!done.isEmpty() && !terms.longer().isEmpty()) {
            List<Long> kept = LaneLog.ofKinds(connection, dialect, row, terms.longer()).stream()
                    .filter(id -> row.done().get(row.ids().placeOf(id)))
                    .toList();
            if (!kept.isEmpty()) {
                moves.completed(connection, row.key(), kept);
                done.removeAll(Set.copyOf(kept));
            }
        }
        if (!done.isEmpty()) {
            belongings.delete(connection, done);
        }
        LaneLog.delete(connection, dialect, row.key(), row.ids());
        return done.size();
    }

    /** It stays, because it is where the next claim goes on; its jobs go when their time has come. */
    private long emptyNewest(Connection connection, int lane, LaneTerms terms, Belongings belongings)
            throws SQLException {
        RangeRow newest = newest(connection, lane, terms.last());
        if (newest == null) {
            return 0;
        }
        long pruned = empty(connection, newest, terms, belongings);
        try (PreparedStatement statement = connection.prepareStatement(
                dialect.sql("UPDATE pawl_lane_range SET emptied = TRUE WHERE lane = ? AND after_id = ?"))) {
            statement.setInt(1, lane);
            statement.setLong(2, newest.key().after());
            statement.executeUpdate();
        }
        return pruned;
    }

    private @Nullable RangeRow newest(Connection connection, int lane, Instant last) throws SQLException {
        String sql = dialect.sql("SELECT " + RangeRow.COLUMNS + " FROM pawl_lane_range WHERE lane = ? AND after_id ="
                + " (SELECT newest.after_id FROM (SELECT MAX(after_id) AS after_id FROM pawl_lane_range WHERE lane = ?) newest)"
                + " AND lease_expires_at IS NULL AND emptied = FALSE AND finished_at <= " + dialect.moment() + " "
                + dialect.forUpdate());
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, lane);
            statement.setInt(2, lane);
            dialect.bind(statement, 3, last);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? RangeRow.of(row) : null;
            }
        }
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
