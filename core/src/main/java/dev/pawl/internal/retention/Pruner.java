package dev.pawl.internal.retention;

import dev.pawl.JobState;
import dev.pawl.Retention;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.lane.LanePruner;
import dev.pawl.internal.store.Maintenance;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Deletes what has outlived its retention, a small batch in each transaction so that nobody has to wait for it. What
 * cannot be deleted does not keep anything else from being deleted.
 */
public final class Pruner implements Maintenance {
    private static final int BATCH = 1000;
    private static final Duration KEEP_WORKERS = Duration.ofDays(7);

    /** Keeps us off running jobs. */
    private static final Duration GRACE = Duration.ofHours(1);

    /** After how many slices without leftovers a worker stops looking until the next minute. */
    private static final int PATIENCE = 20;

    private final Database database;
    private final Dialect dialect;
    private final HistoryUpkeep history;
    private final LanePruner lanes;
    private final List<Leftovers> leftovers;
    private final SpentKeys spentKeys;
    private final ReentrantLock lock = new ReentrantLock();

    /**
     * @param database the pool and the dialect
     * @param history how the product keeps its history in order
     */
    public Pruner(Database database, HistoryUpkeep history) {
        this.database = database;
        this.dialect = database.dialect();
        this.history = history;
        this.lanes = new LanePruner(database);
        this.spentKeys = new SpentKeys(database);
        // Jobs that were deleted on completion may have left rows behind.
        this.leftovers = List.of(
                new Leftovers(database, "pawl_attempt", "job_id", "failed_at", GRACE, Leftovers.NO_JOB),
                new Leftovers(database, "pawl_job_log", "job_id", "logged_at", GRACE, Leftovers.NO_JOB),
                new Leftovers(database, "pawl_assignment", "job_id", "assigned_at", GRACE, Leftovers.NO_JOB),
                new Leftovers(database, "pawl_worker", "id", "heartbeat_at", KEEP_WORKERS, ""));
    }

    @Override
    public void prune(Retention retention) throws SQLException {
        prune(retention, PATIENCE);
    }

    /**
     * Prunes until nothing is left to prune, or the thread is interrupted.
     *
     * @param retention how long each state is kept
     * @return how many jobs were deleted
     * @throws SQLException the first error, after everything else was tried
     */
    public long pruneAll(Retention retention) throws SQLException {
        return prune(retention, Integer.MAX_VALUE);
    }

    private interface Step {
        long run() throws SQLException;
    }

    private long prune(Retention retention, int patience) throws SQLException {
        List<Step> steps = new ArrayList<>();
        steps.add(() -> {
            history.maintain(database, retention);
            return 0;
        });
        steps.add(() -> pruneJobs(JobState.COMPLETED, retention.completed()));
        steps.add(() -> lanes.prune(ago(retention.completed()), this::deleteBelongings));
        if (retention.mostCompleted() != Long.MAX_VALUE) {
            steps.add(() -> pruneAllBut(retention.mostCompleted()));
        }
        steps.add(() -> pruneJobs(JobState.CANCELLED, retention.cancelled()));
        steps.add(() -> pruneJobs(JobState.DISCARDED, retention.discarded()));
        steps.add(() -> {
            spentKeys.prune();
            return 0;
        });
        for (Leftovers one : leftovers) {
            steps.add(() -> {
                one.prune(patience);
                return 0;
            });
        }
        lock.lock(); // leftovers remember their place
        try {
            return all(steps);
        } finally {
            lock.unlock();
        }
    }

    private static long all(List<Step> steps) throws SQLException {
        long pruned = 0;
        @Nullable SQLException first = null;
        for (Step step : steps) {
            if (Thread.currentThread().isInterrupted()) {
                break;
            }
            try {
                pruned += step.run();
            } catch (SQLException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
        return pruned;
    }

    private long pruneJobs(JobState state, Duration keep) throws SQLException {
        String old = dialect.sql("SELECT id FROM pawl_job_history WHERE state = ? AND finished_at <= "
                + dialect.nowPlusMicros() + " ORDER BY finished_at LIMIT ? " + dialect.skipLocked());
        return pruneBatches(old, state, statement -> statement.setLong(2, -Micros.of(keep)));
    }

    private Instant ago(Duration age) throws SQLException {
        return moment(
                        "SELECT " + dialect.nowPlusMicros() + " AS moment",
                        statement -> statement.setLong(1, -Micros.of(age)))
                .orElseThrow();
    }

    /**
     * The last ones stay, and those that finished in the same microsecond as the first of them; of a range of a lane,
     * where jobs have no time of their own, all.
     */
    private long pruneAllBut(long most) throws SQLException {
        Optional<Instant> older = moment("""
                SELECT MAX(finished_at) AS moment
                  FROM (SELECT finished_at, SUM(jobs) OVER (ORDER BY finished_at DESC) - jobs AS newer
                          FROM (SELECT finished_at, SUM(jobs) AS jobs
                                  FROM (SELECT finished_at, 1 AS jobs
                                          FROM (SELECT finished_at FROM pawl_job_history WHERE state = ?
                                                 ORDER BY finished_at DESC LIMIT ?) newest
                                        UNION ALL
                                        SELECT finished_at, completed FROM pawl_lane_range
                                         WHERE lease_expires_at IS NULL AND completed > 0 AND emptied = FALSE) either
                                 GROUP BY finished_at) together) counted
                 WHERE newer >= ?
                """, statement -> {
            statement.setInt(1, JobState.COMPLETED.code());
            statement.setLong(2, most + 1);
            statement.setLong(3, most);
        });
        if (older.isEmpty()) {
            return 0;
        }
        String rows = dialect.sql("SELECT id FROM pawl_job_history WHERE state = ? AND finished_at <= "
                + dialect.moment() + " ORDER BY finished_at LIMIT ? " + dialect.skipLocked());
        return pruneBatches(rows, JobState.COMPLETED, statement -> dialect.bind(statement, 2, older.get()))
                + lanes.prune(older.get(), this::deleteBelongings);
    }

    private Optional<Instant> moment(String sql, Limit limit) throws SQLException {
        return database.autocommit(connection -> {
            try (PreparedStatement statement = dialect.planned(connection, dialect.sql(sql))) {
                limit.bind(statement);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? Optional.ofNullable(dialect.moment(row, "moment")) : Optional.empty();
                }
            }
        });
    }

    private static List<Long> ids(PreparedStatement statement) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }

    private interface Limit {
        void bind(PreparedStatement statement) throws SQLException;
    }

    private long pruneBatches(String select, JobState state, Limit limit) throws SQLException {
        long pruned = 0;
        int batch;
        do {
            batch = database.transaction(connection -> {
                try (PreparedStatement statement = dialect.planned(connection, select)) {
                    statement.setInt(1, state.code());
                    limit.bind(statement);
                    statement.setInt(3, BATCH);
                    return pruneBatch(connection, ids(statement));
                }
            });
            pruned += batch;
        } while (batch == BATCH && !Thread.currentThread().isInterrupted());
        return pruned;
    }

    private int pruneBatch(Connection connection, List<Long> ids) throws SQLException {
        if (!ids.isEmpty()) {
            deleteBelongings(connection, ids);
            delete(connection, "pawl_job_history", "id", ids);
        }
        return ids.size();
    }

    private void deleteBelongings(Connection connection, List<Long> ids) throws SQLException {
        delete(connection, "pawl_attempt", "job_id", ids);
        delete(connection, "pawl_job_log", "job_id", ids);
        delete(connection, "pawl_assignment", "job_id", ids);
    }

    private void delete(Connection connection, String table, String column, List<Long> ids) throws SQLException {
        String sql = dialect.sql("DELETE FROM " + table + " WHERE " + dialect.anyOf(column, ids.size()));
        try (PreparedStatement statement = dialect.planned(connection, sql)) {
            dialect.bindIds(statement, 1, ids);
            statement.executeUpdate();
        }
    }
}
