package dev.pawl.internal.enqueue;

import dev.pawl.api.JobRequest;
import dev.pawl.api.UniqueWhile;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Unique keys that hold for a time, or in a scope of their own. Their rows are what enqueues with the same key wait for; also on a
 * cluster of several writers, where two that took the same key have changed the same row.
 */
final class TimedKeys {
    /** How soon to look whether a row with a scope is still needed: a key may be used by a job that waits for years. */
    private static final Duration LOOK = Duration.ofDays(1);

    private static final String IS = " WHERE kind = ? AND unique_key = ?";

    private final Dialect dialect;
    private final String look;
    private final String create;
    private final String lock;
    private final String take;

    TimedKeys(Dialect dialect) {
        this.dialect = dialect;
        String now = dialect.micros(dialect.now());
        look = dialect.sql("SELECT job_id FROM pawl_unique" + IS);
        create = dialect.sql(dialect.insertIfMissingToLock(
                "pawl_unique (kind, unique_key, job_id, taken_until) VALUES (?, ?, 0, 0)", "job_id"));
        lock = dialect.sql("SELECT job_id, CASE WHEN COALESCE(held_until, taken_until) <= " + now
                + " THEN 1 ELSE 0 END FROM pawl_unique" + IS + " " + dialect.forUpdate());
        take = dialect.sql("UPDATE pawl_unique SET job_id = ?, scope = ?, taken_until = " + now + " + ?, held_until = "
                + now + " + ?" + IS);
    }

    /**
     * Who has a key.
     *
     * @param jobId the last job that got it; 0 if there was none
     * @param isOver whether its time is over
     * @param isSeen whether the snapshot of the transaction shows that it has the key, so it shows the job itself, too, if it is
     *     there at all; where that is worth a statement
     */
    record Taken(long jobId, boolean isOver, boolean isSeen) {
        boolean exists() {
            return jobId != 0;
        }
    }

    /** Looks before it inserts: whoever inserts may lock more than the row, if it is there. */
    Taken lock(Connection connection, JobRequest job) throws SQLException {
        Long seen = dialect.locksWhatIsMissing() ? seen(connection, job) : Long.valueOf(0);
        Taken taken = seen == null ? null : find(connection, job, seen);
        while (taken == null) { // it may be pruned in between
            try (PreparedStatement statement = dialect.planned(connection, create)) {
                bind(statement, 1, job);
                statement.executeUpdate();
            }
            taken = find(connection, job, 0);
        }
        return taken;
    }

    private @Nullable Long seen(Connection connection, JobRequest job) throws SQLException {
        try (PreparedStatement statement = dialect.planned(connection, look)) {
            bind(statement, 1, job);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Long.valueOf(row.getLong(1)) : null;
            }
        }
    }

    private @Nullable Taken find(Connection connection, JobRequest job, long seen) throws SQLException {
        try (PreparedStatement statement = dialect.planned(connection, lock)) {
            bind(statement, 1, job);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? new Taken(row.getLong(1), row.getInt(2) == 1, row.getLong(1) == seen) : null;
            }
        }
    }

    void take(Connection connection, JobRequest job, long id) throws SQLException {
        Integer scope = code(job.options().uniqueWhile());
        Duration time = job.options().uniqueFor() == null
                ? Duration.ZERO
                : job.options().uniqueFor();
        Duration look = scope == null || time.compareTo(LOOK) > 0 ? time : LOOK;
        try (PreparedStatement statement = dialect.planned(connection, take)) {
            statement.setLong(1, id);
            statement.setObject(2, scope, Types.SMALLINT);
            statement.setLong(3, Micros.of(look));
            statement.setObject(4, scope == null ? null : Micros.of(time), Types.BIGINT);
            bind(statement, 5, job);
            statement.executeUpdate();
        }
    }

    /** {@return as the scope is stored; null for the one that the key of the live job itself enforces} */
    private static @Nullable Integer code(UniqueWhile scope) {
        return switch (scope) {
            case WAITING -> 0;
            case LIVE -> null;
            case LIVE_OR_DISCARDED -> 1;
            case KEPT -> 2;
        };
    }

    private static void bind(PreparedStatement statement, int index, JobRequest job) throws SQLException {
        statement.setString(index, job.kind());
        statement.setString(index + 1, job.options().uniqueKey());
    }
}
