package dev.pawl.internal.enqueue;

import dev.pawl.JobRequest;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Unique keys that hold for a time. Their rows are what enqueues with the same key wait for. */
final class TimedKeys {
    private static final String IS = " WHERE kind = ? AND unique_key = ?";

    private final Dialect dialect;
    private final String create;
    private final String lock;
    private final String take;

    TimedKeys(Dialect dialect) {
        this.dialect = dialect;
        String now = dialect.micros(dialect.now());
        create = dialect.sql(
                dialect.insertIfMissing("pawl_unique (kind, unique_key, job_id, taken_until) VALUES (?, ?, 0, 0)"));
        lock = dialect.sql("SELECT job_id, CASE WHEN taken_until <= " + now + " THEN 1 ELSE 0 END FROM pawl_unique" + IS
                + " " + dialect.forUpdate());
        take = dialect.sql("UPDATE pawl_unique SET job_id = ?, taken_until = " + now + " + ?" + IS);
    }

    /**
     * Who has a key.
     *
     * @param jobId the last job that got it; 0 if there was none
     * @param isOver whether its time is over
     */
    record Taken(long jobId, boolean isOver) {}

    /** Looks before it inserts: on InnoDB two inserts that find the row would both lock it, and then wait for each other. */
    Taken lock(Connection connection, JobRequest job) throws SQLException {
        Taken taken = find(connection, job);
        while (taken == null) { // it may be pruned in between
            try (PreparedStatement statement = dialect.planned(connection, create)) {
                bind(statement, 1, job);
                statement.executeUpdate();
            }
            taken = find(connection, job);
        }
        return taken;
    }

    private @Nullable Taken find(Connection connection, JobRequest job) throws SQLException {
        try (PreparedStatement statement = dialect.planned(connection, lock)) {
            bind(statement, 1, job);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? new Taken(row.getLong(1), row.getInt(2) == 1) : null;
            }
        }
    }

    void take(Connection connection, JobRequest job, long id, Duration time) throws SQLException {
        try (PreparedStatement statement = dialect.planned(connection, take)) {
            statement.setLong(1, id);
            statement.setLong(2, Micros.of(time));
            bind(statement, 3, job);
            statement.executeUpdate();
        }
    }

    private static void bind(PreparedStatement statement, int index, JobRequest job) throws SQLException {
        statement.setString(index, job.kind());
        statement.setString(index + 1, job.options().uniqueKey());
    }
}
