package dev.pawl.internal.store.sql;

import dev.pawl.JobState;
import dev.pawl.Retention;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Deletes what has outlived its retention, a small batch in each transaction so that nobody waits for it. */
public final class Pruner {
    private static final int BATCH = 1000;
    private static final Duration KEEP_WORKERS = Duration.ofDays(7);

    private final Database database;
    private final Dialect dialect;

    /**
     * @param database the pool and the dialect
     */
    public Pruner(Database database) {
        this.database = database;
        this.dialect = database.dialect();
    }

    /**
     * Prunes until nothing is left to prune, or the thread is interrupted.
     *
     * @param retention how long each state is kept
     * @return how many jobs were deleted
     * @throws SQLException from the driver
     */
    public long prune(Retention retention) throws SQLException {
        database.transaction(connection -> {
            dialect.maintainHistory(connection, retention);
            return true;
        });
        long pruned = 0;
        Map<JobState, Duration> states = Map.of(
                JobState.COMPLETED, retention.completed(),
                JobState.CANCELLED, retention.cancelled(),
                JobState.DISCARDED, retention.discarded());
        for (Map.Entry<JobState, Duration> entry : states.entrySet()) {
            int batch;
            do {
                batch = database.transaction(connection -> pruneJobs(connection, entry.getKey(), entry.getValue()));
                pruned += batch;
            } while (batch == BATCH && !Thread.currentThread().isInterrupted());
        }
        pruneLeftovers("pawl_attempt", "failed_at");
        pruneLeftovers("pawl_job_log", "logged_at");
        pruneLeftovers("pawl_assignment", "assigned_at");
        pruneWorkers();
        return pruned;
    }

    private int pruneJobs(Connection connection, JobState state, Duration keep) throws SQLException {
        List<Long> ids = ids(
                connection,
                "SELECT id FROM pawl_job_history WHERE state = ? AND finished_at <= " + dialect.nowPlusMicros()
                        + " ORDER BY finished_at LIMIT ? " + dialect.skipLocked(),
                statement -> {
                    statement.setInt(1, state.code());
                    statement.setLong(2, -Micros.of(keep));
                    statement.setInt(3, BATCH);
                });
        if (!ids.isEmpty()) {
            delete(connection, "pawl_attempt", "job_id", ids);
            delete(connection, "pawl_job_log", "job_id", ids);
            delete(connection, "pawl_assignment", "job_id", ids);
            delete(connection, "pawl_job_history", "id", ids);
        }
        return ids.size();
    }

    private void delete(Connection connection, String table, String column, List<Long> ids) throws SQLException {
        String sql = dialect.sql("DELETE FROM " + table + " WHERE " + dialect.anyOf(column, ids.size()));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            dialect.bindIds(statement, 1, ids);
            statement.executeUpdate();
        }
    }

    /** Jobs that were deleted on completion may have left rows behind. An hour's grace keeps us off running jobs. */
    private void pruneLeftovers(String table, String moment) throws SQLException {
        database.transaction(connection -> {
            List<Long> jobs = ids(connection, """
                    SELECT DISTINCT t.job_id FROM %s t
                     WHERE t.%s <= %s
                       AND NOT EXISTS (SELECT 1 FROM pawl_job j WHERE j.id = t.job_id)
                       AND NOT EXISTS (SELECT 1 FROM pawl_job_history h WHERE h.id = t.job_id)
                     LIMIT ?
                    """.formatted(table, moment, dialect.nowPlusMicros()), statement -> {
                statement.setLong(1, -Micros.of(Duration.ofHours(1)));
                statement.setInt(2, BATCH);
            });
            if (!jobs.isEmpty()) {
                delete(connection, table, "job_id", jobs);
            }
            return jobs.size();
        });
    }

    private void pruneWorkers() throws SQLException {
        database.transaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(
                    dialect.sql("DELETE FROM pawl_worker WHERE heartbeat_at <= " + dialect.nowPlusMicros()))) {
                statement.setLong(1, -Micros.of(KEEP_WORKERS));
                return statement.executeUpdate();
            }
        });
    }

    private interface Bind {
        void bind(PreparedStatement statement) throws SQLException;
    }

    private List<Long> ids(Connection connection, String sql, Bind bind) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(dialect.sql(sql))) {
            bind.bind(statement);
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
