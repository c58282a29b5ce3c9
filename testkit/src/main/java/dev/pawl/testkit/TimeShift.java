package dev.pawl.testkit;

import dev.pawl.JobQueue;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.jdbc.Micros;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Moves all moments in the database into the past, which is equivalent to advancing time. */
final class TimeShift {
    /** Longer than the distance between any two ticks, and short enough to be counted in microseconds without loss. */
    private static final long FAR = Duration.ofDays(200 * 365).toSeconds() * 1_000_000;

    private static final Set<String> PARTS_OF_KEYS = Set.of("tick", "taken_at");

    private final JobQueue queue;
    private final Database database;
    private final Dialect dialect;

    TimeShift(JobQueue queue) {
        this.queue = queue;
        this.database = queue.unwrap(QueueRuntime.class).database();
        this.dialect = database.dialect();
    }

    /** Runs in one transaction. */
    void by(Duration time) {
        requireNoWorker();
        long micros = Micros.of(time);
        boolean unused = Failures.wrapped(
                "cannot advance the time",
                () -> database.transaction(connection -> {
                    for (Map.Entry<String, List<String>> table : MomentColumns.OF_THE_TYPE.entrySet()) {
                        shift(connection, table.getKey(), table.getValue(), micros);
                    }
                    for (Map.Entry<String, List<String>> table : MomentColumns.OF_MICROSECONDS.entrySet()) {
                        shiftMicros(connection, table.getKey(), table.getValue(), micros);
                    }
                    updateKeyedTimes(connection);
                    new TextMoments(connection, dialect).shift(time);
                    return true;
                }));
    }

    /**
     * Refuses to advance time while a worker runs, because the moments that it has already read would become wrong, and its own clock stays
     * unchanged.
     */
    private void requireNoWorker() {
        String alive = queue.admin().workers().list().stream()
                .filter(WorkerInfo::alive)
                .map(worker -> worker.id() + " (" + worker.name() + ")")
                .collect(Collectors.joining(", "));
        if (!alive.isEmpty()) {
            throw new IllegalStateException("time cannot be advanced while a worker runs: close worker " + alive
                    + "; one that was killed counts as running until its heartbeat is old");
        }
    }

    private void shift(Connection connection, String table, List<String> columns, long micros) throws SQLException {
        for (String column : columns) {
            if (PARTS_OF_KEYS.contains(column)) { // each statement must keep the keys distinct, in any order of rows
                update(connection, table, column, FAR);
                update(connection, table, column, micros - FAR);
            } else {
                update(connection, table, column, micros);
            }
        }
    }

    private void update(Connection connection, String table, String column, long micros) throws SQLException {
        String sql =
                "UPDATE " + table + " SET " + column + " = " + earlier(column) + " WHERE " + column + " IS NOT NULL";
        try (PreparedStatement statement = connection.prepareStatement(dialect.sql(sql))) {
            statement.setLong(1, micros);
            int unused = statement.executeUpdate();
        }
    }

    private String earlier(String column) {
        return switch (dialect.product()) {
            case "postgresql" -> column + " - ? * interval '1 microsecond'";
            case "mysql" -> column + " - INTERVAL ? MICROSECOND";
            default -> column + " - ?";
        };
    }

    /** Copies the times of the jobs, which were moved before, to the rows of these jobs in {@code pawl_keyed}. */
    private void updateKeyedTimes(Connection connection) throws SQLException {
        String due = "(SELECT " + dialect.micros("j.available_at") + " FROM pawl_job j WHERE j.id = pawl_keyed.job_id)";
        String sql = "UPDATE pawl_keyed SET available_at = " + due + " WHERE available_at > 0 AND " + due + " > 0";
        try (PreparedStatement statement = connection.prepareStatement(dialect.sql(sql))) {
            int unused = statement.executeUpdate();
        }
    }

    private void shiftMicros(Connection connection, String table, List<String> columns, long micros)
            throws SQLException {
        for (String column : columns) {
            String sql = "UPDATE " + table + " SET " + column + " = CASE WHEN " + column + " > ? THEN " + column
                    + " - ? ELSE 0 END WHERE " + column + " <> 0";
            try (PreparedStatement statement = connection.prepareStatement(dialect.sql(sql))) {
                statement.setLong(1, micros);
                statement.setLong(2, micros);
                int unused = statement.executeUpdate();
            }
        }
    }
}
