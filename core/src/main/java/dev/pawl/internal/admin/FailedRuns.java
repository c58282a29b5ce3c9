package dev.pawl.internal.admin;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.log.Cause;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads failed attempts page by page, those of the newest jobs first.
 *
 * @param dialect the product
 * @param queue only of this queue; null for all
 * @param kind only of this kind; null for all
 */
record FailedRuns(
        Dialect dialect, @Nullable String queue, @Nullable String kind) {
    static final String LIVE = "pawl_job";
    static final String ENDED = "pawl_job_history";
    static final int PAGE = 1_000;
    /** How many characters of an error are read. This is enough, because the first lines show the cause. */
    private static final int BEGINNING = 1_500;

    /** A failed attempt, and the current state of its job. */
    record Run(long job, long token, Instant failedAt, String error, String kind, String queue, JobState state) {
        Cause cause() {
            return Cause.of(error);
        }
    }

    /**
     * @param connection to read on
     * @param table the jobs: {@link #LIVE} or {@link #ENDED}
     * @param last the last attempt of the page before; null for the first page
     * @return at most {@link #PAGE} failed attempts
     */
    List<Run> page(Connection connection, String table, @Nullable Run last) throws SQLException {
        String onlyQueue = queue;
        String onlyKind = kind;
        Sql sql = dialect.planned("SELECT a.job_id, a.lease_token, a.failed_at, SUBSTR(a.error, 1, " + BEGINNING
                + ") AS error, j.kind, j.queue, j.state FROM pawl_attempt a JOIN " + table + " j ON j.id = a.job_id"
                + " WHERE a.job_id <= ? AND (a.job_id < ? OR a.lease_token < ?)"
                + (onlyQueue == null ? "" : " AND j.queue = ?") + (onlyKind == null ? "" : " AND j.kind = ?")
                + " ORDER BY a.job_id DESC, a.lease_token DESC LIMIT " + PAGE);
        long job = last == null ? Long.MAX_VALUE : last.job;
        Sql.Bound page = sql.on(connection, job, job, last == null ? Long.MAX_VALUE : last.token);
        return page.bind(Stream.of(onlyQueue, onlyKind).filter(Objects::nonNull).toArray())
                .list(row -> new Run(
                        row.getLong("job_id"),
                        row.getLong("lease_token"),
                        Objects.requireNonNull(dialect.moment(row, "failed_at")),
                        row.getString("error"),
                        row.getString("kind"),
                        row.getString("queue"),
                        JobState.ofCode(row.getInt("state"))));
    }
}
