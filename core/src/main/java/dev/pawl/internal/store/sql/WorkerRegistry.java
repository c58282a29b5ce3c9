package dev.pawl.internal.store.sql;

import dev.pawl.WorkerInfo;
import dev.pawl.internal.Json;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The rows of {@code pawl_worker}: one for each process that runs jobs. */
public final class WorkerRegistry {
    private static final Duration ALIVE = Duration.ofMinutes(1);

    private final Database database;
    private final Dialect dialect;

    /**
     * @param database the pool and the dialect
     */
    public WorkerRegistry(Database database) {
        this.database = database;
        this.dialect = database.dialect();
    }

    /** Writes the row of a worker that starts; answers its id. */
    public long register(String name, List<String> queues, int concurrency) throws SQLException {
        String sql = dialect.sql("""
                INSERT INTO pawl_worker (name, queues, concurrency, started_at, heartbeat_at)
                VALUES (?, ?, ?, %1$s, %1$s)
                """.formatted(dialect.now()));
        return database.transaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS)) {
                statement.setString(1, name);
                statement.setString(2, Objects.requireNonNullElse(Json.tags(queues), "[]"));
                statement.setInt(3, concurrency);
                statement.executeUpdate();
                try (ResultSet keys = statement.getGeneratedKeys()) {
                    keys.next();
                    return keys.getLong(1);
                }
            }
        });
    }

    /** Shows that the worker lives. */
    public void heartbeat(long workerId) throws SQLException {
        touch("UPDATE pawl_worker SET heartbeat_at = " + dialect.now() + " WHERE id = ?", workerId);
    }

    /** Marks the worker as stopped in order. */
    public void stopped(long workerId) throws SQLException {
        touch("UPDATE pawl_worker SET stopped_at = " + dialect.now() + " WHERE id = ?", workerId);
    }

    private void touch(String sql, long workerId) throws SQLException {
        database.transaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(dialect.sql(sql))) {
                statement.setLong(1, workerId);
                return statement.executeUpdate();
            }
        });
    }

    /** {@return how many workers live now} */
    int live() throws SQLException {
        String sql = dialect.sql("SELECT COUNT(*) FROM pawl_worker WHERE stopped_at IS NULL AND heartbeat_at > "
                + dialect.nowPlusMicros());
        return database.autocommit(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setLong(1, -Micros.of(ALIVE));
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return row.getInt(1);
                }
            }
        });
    }

    /** {@return all workers, those that live first, then the newest} */
    public List<WorkerInfo> list(Connection connection) throws SQLException {
        String sql = dialect.sql("""
                SELECT w.id, w.name, w.queues, w.concurrency, w.started_at, w.heartbeat_at, w.stopped_at,
                       CASE WHEN w.stopped_at IS NULL AND w.heartbeat_at > %s THEN 1 ELSE 0 END AS alive,
                       (SELECT COUNT(*) FROM pawl_job j WHERE j.state = 1 AND j.leased_by = w.id) AS running
                  FROM pawl_worker w ORDER BY alive DESC, w.id DESC
                """.formatted(dialect.nowPlusMicros()));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, -Micros.of(ALIVE));
            List<WorkerInfo> workers = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    workers.add(new WorkerInfo(
                            rows.getLong("id"),
                            rows.getString("name"),
                            Json.strings(rows.getString("queues")),
                            rows.getInt("concurrency"),
                            present(dialect.moment(rows, "started_at")),
                            present(dialect.moment(rows, "heartbeat_at")),
                            dialect.moment(rows, "stopped_at"),
                            rows.getInt("alive") == 1,
                            rows.getLong("running")));
                }
            }
            return workers;
        }
    }

    private static Instant present(@Nullable Instant moment) {
        return Objects.requireNonNull(moment, "a column that is NOT NULL");
    }
}
