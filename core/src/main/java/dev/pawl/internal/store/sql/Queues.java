package dev.pawl.internal.store.sql;

import dev.pawl.QueueStats;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts queues, pauses and resumes them. */
final class Queues {
    private final Dialect dialect;
    private final String stats;

    Queues(Dialect dialect) {
        this.dialect = dialect;
        String now = dialect.now();
        stats = dialect.sql("""
                SELECT queue,
                       SUM(CASE WHEN state = 0 AND available_at <= %1$s THEN 1 ELSE 0 END) AS available,
                       SUM(CASE WHEN state = 0 AND available_at > %1$s AND attempt = 0 THEN 1 ELSE 0 END) AS delayed_jobs,
                       SUM(CASE WHEN state = 0 AND available_at > %1$s AND attempt > 0 THEN 1 ELSE 0 END) AS retrying,
                       SUM(CASE WHEN state = 1 THEN 1 ELSE 0 END) AS running,
                       MIN(CASE WHEN state = 0 AND available_at <= %1$s THEN available_at END) AS oldest,
                       %1$s AS present
                  FROM pawl_job GROUP BY queue ORDER BY queue
                """.formatted(now));
    }

    List<QueueStats> stats(Connection connection) throws SQLException {
        Map<String, Settings> settings = settings(connection);
        List<QueueStats> queues = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(stats);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                String name = rows.getString("queue");
                Settings own = Objects.requireNonNullElse(settings.remove(name), Settings.NONE);
                queues.add(new QueueStats(
                        name,
                        own.paused,
                        own.strategy,
                        rows.getLong("available"),
                        rows.getLong("delayed_jobs"),
                        rows.getLong("retrying"),
                        rows.getLong("running"),
                        age(dialect.moment(rows, "oldest"), dialect.moment(rows, "present"))));
            }
        }
        settings.forEach((name, own) -> {
            if (own.paused || own.strategy != null) {
                queues.add(new QueueStats(name, own.paused, own.strategy, 0, 0, 0, 0, null));
            }
        });
        return queues;
    }

    private static @Nullable Duration age(@Nullable Instant oldest, @Nullable Instant present) {
        return oldest == null || present == null ? null : Duration.between(oldest, present);
    }

    /** What people have set for a queue. */
    private record Settings(boolean paused, @Nullable String strategy) {
        static final Settings NONE = new Settings(false, null);
    }

    private Map<String, Settings> settings(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                        connection.prepareStatement(dialect.sql("SELECT name, paused_at, strategy FROM pawl_queue"));
                ResultSet rows = statement.executeQuery()) {
            Map<String, Settings> settings = new TreeMap<>();
            while (rows.next()) {
                settings.put(rows.getString(1), new Settings(rows.getObject(2) != null, rows.getString(3)));
            }
            return settings;
        }
    }

    /** {@return the strategies that were set, as they were written} */
    Map<String, String> strategies(Connection connection) throws SQLException {
        Map<String, String> strategies = new TreeMap<>();
        settings(connection).forEach((name, own) -> {
            if (own.strategy != null) {
                strategies.put(name, own.strategy);
            }
        });
        return strategies;
    }

    /** Null takes the setting away. */
    void setStrategy(Connection connection, String queue, @Nullable String strategy) throws SQLException {
        String update = dialect.sql("UPDATE pawl_queue SET strategy = ? WHERE name = ?");
        String insert = dialect.sql("INSERT INTO pawl_queue (strategy, name) VALUES (?, ?)");
        if (!exists(connection, queue)) {
            write(connection, insert, strategy, queue);
        } else {
            write(connection, update, strategy, queue);
        }
    }

    private boolean exists(Connection connection, String queue) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(dialect.sql("SELECT 1 FROM pawl_queue WHERE name = ?"))) {
            statement.setString(1, queue);
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        }
    }

    private static void write(Connection connection, String sql, @Nullable String strategy, String queue)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, strategy);
            statement.setString(2, queue);
            statement.executeUpdate();
        }
    }

    /** Updates the row, or writes it if there is none; a second pause keeps the time of the first. */
    void pause(Connection connection, String queue) throws SQLException {
        String now = dialect.now();
        if (change(
                        connection,
                        "UPDATE pawl_queue SET paused_at = COALESCE(paused_at, " + now + ") WHERE name = ?",
                        queue)
                == 0) {
            change(connection, "INSERT INTO pawl_queue (paused_at, name) VALUES (" + now + ", ?)", queue);
        }
    }

    boolean resume(Connection connection, String queue) throws SQLException {
        return change(
                        connection,
                        "UPDATE pawl_queue SET paused_at = NULL WHERE name = ? AND paused_at IS NOT NULL",
                        queue)
                == 1;
    }

    private int change(Connection connection, String sql, String queue) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(dialect.sql(sql))) {
            statement.setString(1, queue);
            return statement.executeUpdate();
        }
    }
}
