package dev.pawl.internal.lane;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.settle.CompletionHook;
import dev.pawl.internal.settle.FinishedJob;
import dev.pawl.internal.settle.KeptStates;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records completed jobs in ranges, all bits of a range in one write. A write requires that the range still has the token of the claim, and
 * the sets of moved jobs and of completed jobs that this worker knows. Otherwise nothing is written, and the caller settles the runs job by
 * job: a job may have moved because a user cancelled it or the lease expired, or another claim may have the range. Comparing the sizes of
 * the sets would not be enough, because a database that has lost the move of one job may have moved another job since. In the same way
 * another transaction may have completed a different job.
 */
final class Completion {
    private final Database database;
    private final Dialect dialect;
    private final KeptStates kept;
    private final CompletionHook completionHook;

    /**
     * @param database the pool and the dialect
     * @param kept whether completed jobs are kept at all
     * @param completionHook writes more in the same transaction
     */
    Completion(Database database, KeptStates kept, CompletionHook completionHook) {
        this.completionHook = completionHook;
        this.database = database;
        this.dialect = database.dialect();
        this.kept = kept;
    }

    /** Another transaction has changed a range: nothing was written. */
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
     * @param notable jobs of the ranges for which the hook is called
     * @throws Stale if another transaction has changed a range; then nothing was written
     */
    void record(List<HeldRange.Plan> plans, List<FinishedJob> notable) throws SQLException {
        List<Write> writes = inOrder(plans);
        if (kept.always(JobState.COMPLETED) && writes.size() == 1 && notable.isEmpty()) {
            boolean unused = database.statement(connection -> write(connection, writes));
        } else {
            boolean unused = database.transaction(connection -> {
                boolean written = write(connection, writes);
                if (!notable.isEmpty()) {
                    completionHook.afterCompletion(connection, notable);
                }
                return written;
            });
        }
    }

    /** One statement: ranges that are closed together, or one range that is not complete yet. */
    private record Write(@Nullable Full full, List<HeldRange.Plan> plans) {}

    /** Sorts by key, the order in which all transactions lock ranges. Only neighbours are closed together. */
    private static List<Write> inOrder(List<HeldRange.Plan> plans) {
        List<HeldRange.Plan> sorted = new ArrayList<>(plans);
        sorted.sort(Comparator.comparing(plan -> plan.range().key()));
        List<Write> writes = new ArrayList<>();
        @Nullable Full before = null;
        for (HeldRange.Plan plan : sorted) {
            Full full = plan.isAll() ? Full.of(plan) : null;
            if (full == null || !full.equals(before)) {
                writes.add(new Write(full, new ArrayList<>()));
            }
            writes.get(writes.size() - 1).plans.add(plan);
            before = full;
        }
        return writes;
    }

    /** Ranges that are closed by one statement. */
    private record Full(int lane, long worker, BitSet moved, BitSet before) {
        static Full of(HeldRange.Plan plan) {
            return new Full(plan.range().key().lane(), plan.range().worker(), plan.moved(), plan.before());
        }
    }

    private boolean write(Connection connection, List<Write> writes) throws SQLException {
        boolean keeps =
                writes.stream().allMatch(each -> each.full == null) || kept.keeps(connection, JobState.COMPLETED);
        for (Write each : writes) {
            Full full = each.full;
            if (full == null) {
                mark(connection, each.plans.get(0));
            } else {
                close(connection, full, each.plans, keeps);
            }
        }
        return true;
    }

    private void close(Connection connection, Full of, List<HeldRange.Plan> plans, boolean keeps) throws SQLException {
        List<Long> keys = plans.stream().map(plan -> plan.range().key().after()).toList();
        List<Long> tokens = plans.stream().map(plan -> plan.range().token()).toList();
        String sql = dialect.sql(
                "UPDATE pawl_lane_range SET done = NULL, completed = jobs - moved_count, lease_expires_at = NULL,"
                        + (keeps ? "" : " jobs_deleted = TRUE,") + " finished_at = " + dialect.now()
                        + " WHERE lane = ? AND leased_by = ? AND " + done(of.before) + " AND " + moved(of.moved)
                        + " AND "
                        + dialect.anyOf("starts_after", keys.size()) + " AND " + dialect.anyOf("token", keys.size()));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, of.lane);
            statement.setLong(2, of.worker);
            int first = bind(statement, bind(statement, 3, of.before), of.moved);
            int next = dialect.bindIds(statement, first, keys);
            int unused = dialect.bindIds(statement, next, tokens); // a token belongs to one claim, and so to one key
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
        String sql = dialect.sql("UPDATE pawl_lane_range SET done = " + dialect.bytes()
                + ", completed = ?, finished_at = " + dialect.now()
                + " WHERE lane = ? AND starts_after = ? AND leased_by = ? AND token = ? AND "
                + done(plan.before()) + " AND " + moved(plan.moved()));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            dialect.bindBytes(statement, 1, RangeRow.bytes(plan.done()));
            statement.setInt(2, plan.done().cardinality());
            statement.setInt(3, range.key().lane());
            statement.setLong(4, range.key().after());
            statement.setLong(5, range.worker());
            statement.setLong(6, range.token());
            int unused = bind(statement, bind(statement, 7, plan.before()), plan.moved());
            if (statement.executeUpdate() != 1) {
                throw new Stale();
            }
        }
    }

    private String moved(BitSet places) {
        return places.isEmpty() ? "moved_count = 0" : "moved = " + dialect.bytes();
    }

    private String done(BitSet places) {
        return places.isEmpty() ? "completed = 0" : "done = " + dialect.bytes();
    }

    private int bind(PreparedStatement statement, int next, BitSet places) throws SQLException {
        if (places.isEmpty()) {
            return next;
        }
        dialect.bindBytes(statement, next, RangeRow.bytes(places));
        return next + 1;
    }
}
