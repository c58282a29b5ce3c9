package dev.pawl.internal.enqueue;

import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.words.Expiry;
import dev.pawl.internal.words.ReservedHeaders;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Finds the live job that has a unique key. A plain read: it takes no lock and waits for none. */
public final class LiveJobs {
    private final Dialect dialect;
    private final Sql find;

    /**
     * @param dialect the product
     */
    public LiveJobs(Dialect dialect) {
        this.dialect = dialect;
        find = dialect.planned("SELECT " + columns(dialect) + " FROM pawl_job WHERE kind = ? AND unique_key = ?");
    }

    /** {@return the columns that {@link #read} needs; headers only of jobs that may expire} */
    public static String columns(Dialect dialect) {
        return "id, state, CASE WHEN headers LIKE '%\"" + ReservedHeaders.EXPIRES
                + "\":%' THEN headers END AS expiring, created_at, started_at, " + dialect.now() + " AS present";
    }

    /**
     * @param connection to read on
     * @param job with a unique key
     * @return the live job of its kind with that key, as this transaction sees it; null if there is none
     * @throws SQLException from the driver
     */
    public @Nullable LiveJob find(Connection connection, JobRequest job) throws SQLException {
        return find.on(connection, job.kind(), job.options().uniqueKey())
                .first(row -> read(dialect, row))
                .orElse(null);
    }

    /** {@return the job of the current row, selected by {@link #columns}} */
    public static LiveJob read(Dialect dialect, ResultSet row) throws SQLException {
        LiveJob.Standing standing = waits(row) ? LiveJob.Standing.WAITING : LiveJob.Standing.KEPT;
        return new LiveJob(row.getLong(1), standing, expired(dialect, row));
    }

    private static boolean waits(ResultSet row) throws SQLException {
        return JobState.ofCode(row.getInt(2)).isWaiting();
    }

    /**
     * A waiting job has expired once its expiry has passed. A running job has expired if it was claimed after that: its worker is about
     * to cancel it.
     */
    private static LiveJob.@Nullable Expired expired(Dialect dialect, ResultSet row) throws SQLException {
        String headers = row.getString(3);
        Instant created = headers == null ? null : dialect.moment(row, "created_at");
        Instant expires = created == null ? null : Expiry.of(JobRows.headers(headers), created);
        if (headers == null || expires == null) {
            return null;
        }
        Instant since = dialect.moment(row, waits(row) ? "present" : "started_at");
        return since == null || since.isBefore(expires) ? null : new LiveJob.Expired(headers, expires);
    }
}
