package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds jobs that were committed late: their ids were drawn before those of a range that was claimed already, by a
 * transaction that was still open. A range with gaps is looked through again and again, each time after as long again as
 * has gone by since its claim; so a job whose transaction was open for some time is found within as long again after its
 * commit. What lies before the oldest range that is kept belongs to none, however late it comes, and is found at each look.
 *
 * <p>A late job gets a row of its own and leaves the lane, in one transaction; its row in the lane is the guard (twins
 * {@code RecountSeq}, {@code RecountCovers}): whoever deletes it has moved the job.
 */
public final class LateJobs {
    private static final Logger LOG = LoggerFactory.getLogger(LateJobs.class);
    private static final int MOST_RANGES = 50;
    private static final int MOST_JOBS = 500;
    /** After 1, 2, 4, … seconds; the last time after about 18 hours. */
    private static final int RECOUNTS = 16;

    private final Database database;
    private final Dialect dialect;
    private final Lanes lanes;
    private final Moves moves;
    private final String due;
    private final String next;
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
        due = dialect.sql("SELECT lane, after_id FROM pawl_lane_range WHERE recount_at <= " + dialect.now()
                + " ORDER BY recount_at LIMIT " + MOST_RANGES);
        next = dialect.sql("UPDATE pawl_lane_range SET recounts = recounts + 1, recount_at = " + dialect.nowPlusMicros()
                + " WHERE lane = ? AND after_id = ?");
        oldest = dialect.sql("SELECT after_id FROM pawl_lane_range WHERE lane = ? ORDER BY after_id LIMIT 1");
        lock = dialect.sql("SELECT recounts, emptied, " + RangeRow.COLUMNS
                + " FROM pawl_lane_range WHERE lane = ? AND after_id = ? AND recount_at <= " + dialect.now() + " "
                + dialect.skipLocked());
    }

    /**
     * Looks where it is time.
     *
     * @return how many late jobs were found
     * @throws SQLException from the driver
     */
    public int find() throws SQLException {
        if (!dialect.mayCommitLate()) {
            return 0;
        }
        int found = 0;
        List<RangeKey> ranges;
        do {
            ranges = database.autocommit(this::due);
            for (RangeKey range : ranges) {
                found += database.transaction(connection -> recount(connection, range));
            }
        } while (ranges.size() == MOST_RANGES && !Thread.currentThread().isInterrupted());
        for (Lane lane : lanes.all()) {
            found += beforeAll(lane);
        }
        if (dialect.drawsIdsFromLanes()) {
            deleteDrawn();
        }
        if (found > 0) {
            LOG.debug("found {} job(s) that were committed after later ones had been claimed", found);
        }
        return found;
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

    private List<RangeKey> due(Connection connection) throws SQLException {
        List<RangeKey> keys = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(due);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                keys.add(new RangeKey(rows.getInt(1), rows.getLong(2)));
            }
        }
        return keys;
    }

    private int recount(Connection connection, RangeKey key) throws SQLException {
        int recounts;
        RangeRow row;
        try (PreparedStatement statement = connection.prepareStatement(lock)) {
            statement.setInt(1, key.lane());
            statement.setLong(2, key.after());
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    return 0; // another worker is at it
                }
                recounts = rows.getInt(1);
                row = RangeRow.of(rows);
            }
        }
        TreeSet<Long> late = new TreeSet<>(LaneLog.ids(
                connection, dialect, key.lane(), key.after(), row.ids().last(), Integer.MAX_VALUE));
        row.ids().all().forEach(late::remove);
        if (!late.isEmpty()) {
            move(connection, key.lane(), List.copyOf(late));
        }
        try (PreparedStatement statement = connection.prepareStatement(next)) {
            if (recounts + 1 >= RECOUNTS) {
                statement.setNull(1, Types.BIGINT);
            } else {
                statement.setLong(1, LaneClaim.FIRST_RECOUNT_MICROS << recounts);
            }
            statement.setInt(2, key.lane());
            statement.setLong(3, key.after());
            statement.executeUpdate();
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
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
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
}
