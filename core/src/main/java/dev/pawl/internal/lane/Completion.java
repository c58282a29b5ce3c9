package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Records completed jobs in ranges that nobody else has touched: all bits of a range in one write. The fence is the owner
 * together with the number of moves, which only grows: if a job has been moved meanwhile, because a person cancelled it or
 * the lease ran out, nothing is written, and the caller looks closer.
 */
final class Completion {
    private final Database database;
    private final Dialect dialect;
    private final boolean keeps;
    private final String some;

    /**
     * @param database the pool and the dialect
     * @param keeps whether completed jobs are kept at all
     */
    Completion(Database database, boolean keeps) {
        this.database = database;
        this.dialect = database.dialect();
        this.keeps = keeps;
        some = dialect.sql("UPDATE pawl_lane_range SET done = ?, completed = ?, finished_at = " + dialect.now()
                + " WHERE lane = ? AND after_id = ? AND leased_by = ? AND moves = ?");
    }

    /** A range was changed by others: nothing was written. */
    static final class Stale extends SQLException {
        private static final long serialVersionUID = 1L;

        Stale() {
            super("a range was changed by others");
        }
    }

    /**
     * Writes the bits of all ranges, in one transaction.
     *
     * @param newly done, range by range
     * @throws Stale if one of them was changed by others; then nothing was written
     */
    void record(Map<HeldRange, BitSet> newly) throws SQLException {
        Map<Full, List<HeldRange>> full = new TreeMap<>();
        List<HeldRange> partly = new ArrayList<>();
        newly.forEach((range, bits) -> {
            int moves = range.moves();
            if (range.doneWith(bits).cardinality() + moves == range.ids().size()) {
                full.computeIfAbsent(new Full(range.key().lane(), range.worker(), moves), each -> new ArrayList<>())
                        .add(range);
            } else {
                partly.add(range);
            }
        });
        if (keeps && full.size() + partly.size() == 1) {
            boolean unused = database.statement(connection -> write(connection, newly, full, partly));
        } else {
            boolean unused = database.transaction(connection -> write(connection, newly, full, partly));
        }
    }

    /** Ranges that are closed by one statement. */
    private record Full(int lane, long worker, int moves) implements Comparable<Full> {
        @Override
        public int compareTo(Full other) {
            int byLane = Integer.compare(lane, other.lane);
            return byLane != 0 ? byLane : Integer.compare(moves, other.moves);
        }
    }

    private boolean write(
            Connection connection,
            Map<HeldRange, BitSet> newly,
            Map<Full, List<HeldRange>> full,
            List<HeldRange> partly)
            throws SQLException {
        for (Map.Entry<Full, List<HeldRange>> each : full.entrySet()) {
            close(connection, each.getKey(), each.getValue());
        }
        for (HeldRange range : partly) {
            mark(connection, range, range.doneWith(newly.getOrDefault(range, new BitSet())));
        }
        return true;
    }

    private void close(Connection connection, Full of, List<HeldRange> ranges) throws SQLException {
        List<Long> keys =
                ranges.stream().map(range -> range.key().after()).sorted().toList();
        String sql =
                dialect.sql("UPDATE pawl_lane_range SET done = NULL, completed = jobs - moves, lease_expires_at = NULL,"
                        + (keeps ? "" : " emptied = TRUE,") + " finished_at = " + dialect.now()
                        + " WHERE lane = ? AND leased_by = ? AND moves = ? AND "
                        + dialect.anyOf("after_id", keys.size()));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, of.lane);
            statement.setLong(2, of.worker);
            statement.setInt(3, of.moves);
            dialect.bindIds(statement, 4, keys);
            if (statement.executeUpdate() != keys.size()) {
                throw new Stale();
            }
        }
        if (!keeps) {
            for (HeldRange range : ranges) {
                LaneLog.delete(connection, dialect, range.key(), range.ids());
            }
        }
    }

    private void mark(Connection connection, HeldRange range, BitSet done) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(some)) {
            statement.setBytes(1, RangeRow.bytes(done));
            statement.setInt(2, done.cardinality());
            statement.setInt(3, range.key().lane());
            statement.setLong(4, range.key().after());
            statement.setLong(5, range.worker());
            statement.setInt(6, range.moves());
            if (statement.executeUpdate() != 1) {
                throw new Stale();
            }
        }
    }
}
