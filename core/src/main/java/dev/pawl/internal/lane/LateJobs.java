package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds jobs that were committed late: their ids were drawn before those of a range that was claimed already, by a
 * transaction that was still open. A range with gaps is counted again and again, each time after four times as long, and for
 * the last time when no transaction can be open any more that was at its claim, where the database tells ({@link
 * OpenWriters}). What lies before the oldest range that is kept belongs to none, however late it comes, and is found at
 * each look.
 *
 * <p>A late job gets a row of its own and leaves the lane, in one transaction; its row in the lane is the guard: whoever
 * deletes it has moved the job.
 */
public final class LateJobs {
    private static final Logger LOG = LoggerFactory.getLogger(LateJobs.class);
    private static final int MOST_RANGES = 200;
    private static final int MOST_JOBS = 500;
    /** After 1, 4, 16, … seconds; the last time four and a half hours after the claim. */
    private static final int RECOUNTS = 8;

    private final Database database;
    private final Dialect dialect;
    private final Lanes lanes;
    private final Moves moves;
    private final OpenWriters writers;
    private final String due;
    private final String oldest;
    private final String lock;

    /**
     * @param database the pool and the dialect
     * @param lanes which there are
     */
    public LateJobs(Database database, Lanes lanes) {
        this.database = database;
        this.dialect = database.dialect();
        this.lanes = lanes;
        this.moves = new Moves(dialect);
        this.writers = new OpenWriters(dialect);
        due = dialect.sql("""
                SELECT r.lane, r.after_id, r.recounts, CASE WHEN r.claimed_at <= %s THEN 1 ELSE 0 END AS is_last,
                       CASE WHEN r.emptied = FALSE AND (r.moves = 0 OR r.lease_expires_at IS NOT NULL) AND r.jobs =
                            (SELECT COUNT(*) FROM pawl_lane_job l
                              WHERE l.lane = r.lane AND l.id > r.after_id AND l.id <= r.last_id) THEN 1 ELSE 0 END AS is_whole
                  FROM pawl_lane_range r
                 WHERE r.recount_at IS NOT NULL AND (r.recount_at <= %s OR r.claimed_at <= %s)
                 ORDER BY r.recount_at LIMIT %d
                """.formatted(dialect.moment(), dialect.now(), dialect.moment(), MOST_RANGES));
        oldest = dialect.sql("SELECT after_id FROM pawl_lane_range WHERE lane = ? ORDER BY after_id LIMIT 1");
        lock = dialect.sql("SELECT " + RangeRow.COLUMNS
                + " FROM pawl_lane_range WHERE lane = ? AND after_id = ? AND recount_at IS NOT NULL "
                + dialect.skipLocked());
    }

    /** A range that is to be counted, and what the count says. */
    private record Counted(RangeKey key, int recounts, boolean isLast, boolean isWhole) {
        private Next next() {
            return new Next(key.lane(), recounts, isLast || recounts + 1 >= RECOUNTS);
        }
    }

    /** Ranges whose next count is at the same time. */
    private record Next(int lane, int recounts, boolean isOver) {}

    /**
     * Looks where it is time.
     *
     * @return how many late jobs were found
     * @throws SQLException from the driver
     */
    public synchronized int find() throws SQLException {
        if (dialect.drawsIdsFromLanes()) {
            deleteDrawn();
        }
        if (!dialect.mayCommitLate() || lanes.isUnused(database)) {
            return 0;
        }
        int found = 0;
        boolean unused = database.autocommit(writers::look);
        List<Counted> ranges;
        int counted;
        do {
            ranges = database.autocommit(this::due);
            int before = found;
            Map<Next, List<Long>> next = new HashMap<>();
            found += move(ranges, next);
            counted = countAgain(next);
            LOG.trace("{} late job(s) in {} range(s)", found - before, ranges.size());
        } while (ranges.size() == MOST_RANGES
                && counted > 0
                && !Thread.currentThread().isInterrupted());
        for (Lane lane : lanes.all()) {
            found += beforeAll(lane);
        }
        if (found > 0) {
            LOG.debug("found {} job(s) that were committed after later ones had been claimed", found);
        }
        return found;
    }

    private List<Counted> due(Connection connection) throws SQLException {
        List<Counted> ranges = new ArrayList<>();
        try (PreparedStatement statement = dialect.planned(connection, due)) {
            dialect.bind(statement, 1, writers.closedUpTo());
            dialect.bind(statement, 2, writers.closedUpTo());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    ranges.add(new Counted(
                            new RangeKey(rows.getInt(1), rows.getLong(2)),
                            rows.getInt(3),
                            rows.getInt(4) == 1,
                            rows.getInt(5) == 1));
                }
            }
        }
        return ranges;
    }

    /** A range that somebody has locked stays due: it has not been looked through. */
    private int move(List<Counted> ranges, Map<Next, List<Long>> next) throws SQLException {
        int found = 0;
        for (Counted range : ranges) {
            int late = range.isWhole ? 0 : database.transaction(connection -> move(connection, range.key));
            if (late >= 0) {
                found += late;
                next.computeIfAbsent(range.next(), each -> new ArrayList<>()).add(range.key.after());
            }
        }
        return found;
    }

    private int countAgain(Map<Next, List<Long>> next) throws SQLException {
        int counted = 0;
        for (Map.Entry<Next, List<Long>> each : next.entrySet()) {
            counted += database.transaction(connection -> {
                List<Long> free = free(connection, each.getKey(), each.getValue());
                if (!free.isEmpty()) {
                    countAgain(connection, each.getKey(), free);
                }
                return free.size();
            });
        }
        return counted;
    }

    /** A range that somebody has locked is counted again later: one that completes jobs must not wait for this, nor this for it. */
    private List<Long> free(Connection connection, Next when, List<Long> after) throws SQLException {
        String sql = dialect.sql("SELECT after_id FROM pawl_lane_range WHERE lane = ? AND recounts = ?"
                + " AND recount_at IS NOT NULL AND " + dialect.anyOf("after_id", after.size()) + " ORDER BY after_id "
                + dialect.skipLocked());
        try (PreparedStatement statement = dialect.planned(connection, sql)) {
            statement.setInt(1, when.lane);
            statement.setInt(2, when.recounts);
            dialect.bindIds(statement, 3, after);
            List<Long> free = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    free.add(rows.getLong(1));
                }
            }
            return free;
        }
    }

    private void countAgain(Connection connection, Next when, List<Long> after) throws SQLException {
        String sql = dialect.sql("UPDATE pawl_lane_range SET recounts = recounts + 1, recount_at = "
                + dialect.nowPlusMicros() + " WHERE lane = ? AND " + dialect.anyOf("after_id", after.size()));
        try (PreparedStatement statement = dialect.planned(connection, sql)) {
            if (when.isOver) {
                statement.setNull(1, Types.BIGINT);
            } else {
                statement.setLong(1, (3 * LaneClaim.FIRST_RECOUNT_MICROS) << (2 * when.recounts));
            }
            statement.setInt(2, when.lane);
            dialect.bindIds(statement, 3, after);
            statement.executeUpdate();
        }
    }

    /**
     * Looks at the ids themselves, under the lock of their range.
     *
     * @return how many were late; negative if somebody has locked the range
     */
    private int move(Connection connection, RangeKey key) throws SQLException {
        RangeRow row;
        try (PreparedStatement statement = connection.prepareStatement(lock)) {
            statement.setInt(1, key.lane());
            statement.setLong(2, key.after());
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    return -1;
                }
                row = RangeRow.of(rows);
            }
        }
        TreeSet<Long> late = new TreeSet<>(LaneLog.ids(
                connection, dialect, key.lane(), key.after(), row.ids().last(), Integer.MAX_VALUE));
        row.ids().all().forEach(late::remove);
        if (!late.isEmpty()) {
            move(connection, key.lane(), List.copyOf(late));
        }
        return late.size();
    }

    private int beforeAll(Lane lane) throws SQLException {
        List<Long> late = database.autocommit(connection -> {
            long first = oldest(connection, lane.id());
            return first <= 0 ? List.<Long>of() : LaneLog.ids(connection, dialect, lane.id(), 0, first, MOST_JOBS);
        });
        return late.isEmpty() ? 0 : database.transaction(connection -> moveWhatIsThere(connection, lane.id(), late));
    }

    private long oldest(Connection connection, int lane) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(oldest)) {
            statement.setInt(1, lane);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        }
    }

    /** Another worker may be at them. */
    private int moveWhatIsThere(Connection connection, int lane, List<Long> ids) throws SQLException {
        String sql = dialect.sql("SELECT id FROM pawl_lane_job WHERE lane = ? AND " + dialect.anyOf("id", ids.size())
                + " ORDER BY id " + dialect.skipLocked());
        List<Long> there = new ArrayList<>();
        try (PreparedStatement statement = dialect.planned(connection, sql)) {
            statement.setInt(1, lane);
            dialect.bindIds(statement, 2, ids);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    there.add(rows.getLong(1));
                }
            }
        }
        if (!there.isEmpty()) {
            move(connection, lane, there);
        }
        return there.size();
    }

    private void move(Connection connection, int lane, List<Long> ids) throws SQLException {
        moves.available(connection, lane, ids);
        int gone = LaneLog.delete(connection, dialect, lane, ids);
        if (gone != ids.size()) {
            throw new SQLException("others have moved some of " + ids.size() + " late jobs", "40001");
        }
    }

    /** Rows that were written to draw an id. A plain read sees only those whose transaction is over. */
    private void deleteDrawn() throws SQLException {
        int deleted;
        do {
            List<Long> drawn = database.autocommit(
                    connection -> LaneLog.ids(connection, dialect, 0, 0, Long.MAX_VALUE, MOST_JOBS));
            deleted = drawn.isEmpty()
                    ? 0
                    : database.transaction(connection -> LaneLog.delete(connection, dialect, 0, drawn));
        } while (deleted == MOST_JOBS && !Thread.currentThread().isInterrupted());
    }
}
