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
import java.util.Set;
import java.util.TreeSet;
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
        Set<String> paused = paused(connection);
        List<QueueStats> queues = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(stats);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                String name = rows.getString("queue");
                queues.add(new QueueStats(
                        name,
                        paused.remove(name),
                        rows.getLong("available"),
                        rows.getLong("delayed_jobs"),
                        rows.getLong("retrying"),
                        rows.getLong("running"),
                        age(dialect.moment(rows, "oldest"), dialect.moment(rows, "present"))));
            }
        }
        paused.forEach(name -> queues.add(new QueueStats(name, true, 0, 0, 0, 0, null)));
        return queues;
    }

    private static @Nullable Duration age(@Nullable Instant oldest, @Nullable Instant present) {
        return oldest == null || present == null ? null : Duration.between(oldest, present);
    }

    private Set<String> paused(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                        dialect.sql("SELECT name FROM pawl_queue WHERE paused_at IS NOT NULL"));
                ResultSet rows = statement.executeQuery()) {
            Set<String> names = new TreeSet<>();
            while (rows.next()) {
                names.add(rows.getString(1));
            }
            return names;
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
