package dev.pawl.internal.lane;

import dev.pawl.JobState;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.settle.KeptStates;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
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
    private final KeptStates kept;
    private final String some;

    /**
     * @param database the pool and the dialect
     * @param kept whether completed jobs are kept at all
     */
    Completion(Database database, KeptStates kept) {
        this.database = database;
        this.dialect = database.dialect();
        this.kept = kept;
        some = dialect.sql("UPDATE pawl_lane_range SET done = ?, completed = ?, finished_at = " + dialect.now()
                + " WHERE lane = ? AND after_id = ? AND leased_by = ? AND moves = ? AND completed = ?");
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
     * @param plans one for each range
     * @throws Stale if one of them was changed by others; then it was not written
     */
    void record(List<HeldRange.Plan> plans) throws SQLException {
        Map<Full, List<HeldRange.Plan>> full = new TreeMap<>();
        List<HeldRange.Plan> partly = new ArrayList<>();
        for (HeldRange.Plan plan : plans) {
            if (plan.isAll()) {
                full.computeIfAbsent(Full.of(plan), each -> new ArrayList<>()).add(plan);
            } else {
                partly.add(plan);
            }
        }
        partly.sort(Comparator.comparing(plan -> plan.range().key()));
        if (kept.always(JobState.COMPLETED) && full.size() + partly.size() == 1) {
            boolean unused = database.statement(connection -> write(connection, full, partly));
        } else {
            boolean unused = database.transaction(connection -> write(connection, full, partly));
        }
    }

    /** Ranges that are closed by one statement. */
    private record Full(int lane, long worker, int moves, int completed) implements Comparable<Full> {
        private static final Comparator<Full> ORDER = Comparator.comparingInt(Full::lane)
                .thenComparingLong(Full::worker)
                .thenComparingInt(Full::moves)
                .thenComparingInt(Full::completed);

        static Full of(HeldRange.Plan plan) {
            return new Full(plan.range().key().lane(), plan.range().worker(), plan.moves(), plan.completed());
        }

        @Override
        public int compareTo(Full other) {
            return ORDER.compare(this, other);
        }
    }

    private boolean write(Connection connection, Map<Full, List<HeldRange.Plan>> full, List<HeldRange.Plan> partly)
            throws SQLException {
        boolean keeps = full.isEmpty() || kept.keeps(connection, JobState.COMPLETED);
        for (Map.Entry<Full, List<HeldRange.Plan>> each : full.entrySet()) {
            close(connection, each.getKey(), each.getValue(), keeps);
        }
        for (HeldRange.Plan plan : partly) {
            mark(connection, plan);
        }
        return true;
    }

    private void close(Connection connection, Full of, List<HeldRange.Plan> plans, boolean keeps) throws SQLException {
        List<Long> keys =
                plans.stream().map(plan -> plan.range().key().after()).sorted().toList();
        String sql =
                dialect.sql("UPDATE pawl_lane_range SET done = NULL, completed = jobs - moves, lease_expires_at = NULL,"
                        + (keeps ? "" : " emptied = TRUE,") + " finished_at = " + dialect.now()
                        + " WHERE lane = ? AND leased_by = ? AND moves = ? AND completed = ? AND "
                        + dialect.anyOf("after_id", keys.size()));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, of.lane);
            statement.setLong(2, of.worker);
            statement.setInt(3, of.moves);
            statement.setInt(4, of.completed);
            dialect.bindIds(statement, 5, keys);
            if (statement.executeUpdate() != keys.size()) {
                throw new Stale();
            }
        }
        if (!keeps) {
            for (HeldRange.Plan plan : plans) {
                LaneLog.delete(
                        connection, dialect, plan.range().key(), plan.range().ids());
            }
        }
    }

    private void mark(Connection connection, HeldRange.Plan plan) throws SQLException {
        HeldRange range = plan.range();
        try (PreparedStatement statement = connection.prepareStatement(some)) {
            statement.setBytes(1, RangeRow.bytes(plan.done()));
            statement.setInt(2, plan.done().cardinality());
            statement.setInt(3, range.key().lane());
            statement.setLong(4, range.key().after());
            statement.setLong(5, range.worker());
            statement.setInt(6, plan.moves());
            statement.setInt(7, plan.completed());
            if (statement.executeUpdate() != 1) {
                throw new Stale();
            }
        }
    }
}
