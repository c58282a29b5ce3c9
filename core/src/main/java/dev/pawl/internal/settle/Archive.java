package dev.pawl.internal.settle;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Moves jobs from the live table to the history, or only deletes them. This transaction has locked their rows. */
public final class Archive {
    /** The reason for a cancellation; it tells readers whether parts of the work may have been done. */
    private static final String CANCELLED =
            "CASE WHEN attempt > 0 THEN 'cancelled while it waited for a retry' ELSE 'cancelled before it started' END";

    private static final String COPIED = """
            id, lease_token, leased_by, created_at, available_at, started_at, expires_at, batch_id, cost, priority, attempt, \
            max_attempts, progress, queue, kind, unique_key, unindexed_key, job_key, tags, headers, payload""";

    private final Dialect dialect;

    public Archive(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Appends jobs to the history; the caller deletes the live rows. */
    public void append(Connection connection, List<Long> ids, JobState state, @Nullable String reason)
            throws SQLException {
        append(connection, ids, state, reason, "?", dialect.now());
    }

    /** Appends jobs that were marked as completed. Their {@code lease_expires_at} is the time of the mark. */
    public void appendMarked(Connection connection, List<Long> ids) throws SQLException {
        append(connection, ids, JobState.COMPLETED, null, "?", "lease_expires_at");
    }

    /** Appends jobs that were cancelled while they waited; the caller deletes the live rows. */
    public void appendCancelled(Connection connection, List<Long> ids) throws SQLException {
        append(connection, ids, JobState.CANCELLED, null, CANCELLED, dialect.now());
    }

    private void append(
            Connection connection,
            List<Long> ids,
            JobState state,
            @Nullable String reason,
            String reasonSql,
            String finishedAt)
            throws SQLException {
        boolean isBound = reasonSql.equals("?");
        Sql sql = dialect.planned("INSERT INTO pawl_job_history (" + COPIED + ", state, reason, finished_at) SELECT "
                + COPIED + ", ?, " + reasonSql + ", " + finishedAt + " FROM " + dialect.jobsById() + " WHERE "
                + dialect.anyOf("id", ids.size()));
        Sql.Bound insert = sql.on(connection, state.code());
        (isBound ? insert.bind(reason) : insert).bind(ids).run();
    }

    public void delete(Connection connection, List<Long> ids) throws SQLException {
        Sql sql = dialect.planned(dialect.deleteJobsById() + " WHERE " + dialect.anyOf("id", ids.size()));
        sql.on(connection, ids).run();
    }
}
