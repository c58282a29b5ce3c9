package dev.pawl.internal.unique;

import dev.pawl.api.JobRequest;
import dev.pawl.api.UniqueWhile;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Unique keys that are held for a time, or in another scope than {@link UniqueWhile#LIVE}. An enqueue locks the row of its key, so that
 * enqueues with the same key wait for each other. On a cluster of several writers such enqueues conflict, because both have changed the
 * row.
 */
final class TimedKeys {
    /**
     * Time until the first check whether a row with a scope is still needed. A key that is held for a longer time is checked when its time
     * ends.
     */
    private static final Duration MAX_CHECK_INTERVAL = Duration.ofDays(1);

    private static final String IS = " WHERE kind = ? AND unique_key = ?";

    private final Dialect dialect;
    private final Sql checkAfter;
    private final Sql create;
    private final Sql lock;
    private final Sql take;

    TimedKeys(Dialect dialect) {
        this.dialect = dialect;
        String now = dialect.now();
        checkAfter = dialect.planned("SELECT job_id FROM pawl_unique" + IS);
        create = dialect.planned(dialect.insertIfMissingToLock(
                "pawl_unique (kind, unique_key, job_id, recheck_at) VALUES (?, ?, 0, " + now + ")", "job_id"));
        lock = dialect.planned("SELECT job_id, CASE WHEN job_id = 0 OR COALESCE(expires_at, recheck_at) <= " + now
                + " THEN 1 ELSE 0 END FROM pawl_unique" + IS + " " + dialect.forUpdate());
        take = dialect.planned("UPDATE pawl_unique SET job_id = ?, scope = ?, recheck_at = " + dialect.nowPlusMicros()
                + ", expires_at = " + dialect.nowPlusMicros() + IS);
    }

    /**
     * The job that holds a key.
     *
     * @param jobId the last job that took it; 0 if there was none
     * @param isOver whether the key has expired
     * @param isSeen whether the snapshot of the transaction shows that this job has the key. Such a snapshot also shows the job, if the job
     *     still exists. False on databases where the snapshot is not read, because reading it is not worth a statement there
     */
    record Taken(long jobId, boolean isOver, boolean isSeen) {
        boolean exists() {
            return jobId != 0;
        }
    }

    /** Locks the row of a key. Reads it before an insert, because an insert of an existing row may lock more than the row. */
    Taken lock(Connection connection, JobRequest job) throws SQLException {
        Long seen = dialect.locksWhatIsMissing() ? seen(connection, job) : Long.valueOf(0);
        Taken taken = seen == null ? null : find(connection, job, seen);
        while (taken == null) { // the row may be pruned in between
            on(connection, create, job).run();
            taken = find(connection, job, 0);
        }
        return taken;
    }

    private @Nullable Long seen(Connection connection, JobRequest job) throws SQLException {
        return on(connection, checkAfter, job).first(row -> row.getLong(1)).orElse(null);
    }

    private @Nullable Taken find(Connection connection, JobRequest job, long seen) throws SQLException {
        return on(connection, lock, job)
                .first(row -> new Taken(row.getLong(1), row.getInt(2) == 1, row.getLong(1) == seen))
                .orElse(null);
    }

    void take(Connection connection, JobRequest job, long id) throws SQLException {
        String scope = text(job.options().uniqueWhile());
        Duration time = job.options().uniqueFor() == null
                ? Duration.ZERO
                : job.options().uniqueFor();
        Duration checkAfter = scope == null || time.compareTo(MAX_CHECK_INTERVAL) > 0 ? time : MAX_CHECK_INTERVAL;
        Long held = scope == null ? null : Micros.of(time);
        take.on(
                        connection,
                        id,
                        scope,
                        Micros.of(checkAfter),
                        held,
                        job.kind(),
                        job.options().uniqueKey())
                .run();
    }

    /** {@return the scope as it is stored; null for the scope that the unique index on live jobs enforces} */
    private static @Nullable String text(UniqueWhile scope) {
        return switch (scope) {
            case WAITING -> "waiting";
            case LIVE -> null;
            case LIVE_OR_DISCARDED -> "live-or-discarded";
            case KEPT -> "kept";
        };
    }

    private static Sql.Bound on(Connection connection, Sql sql, JobRequest job) {
        return sql.on(connection, job.kind(), job.options().uniqueKey());
    }
}
