package dev.pawl.internal.enqueue;

import dev.pawl.api.JobRequest;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.words.Expiry;
import dev.pawl.internal.words.ReservedHeaders;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Finds the live job that has a unique key, by a plain read: it locks nothing and waits for nobody. */
public final class LiveJobs {
    private final Dialect dialect;
    private final String find;

    /**
     * @param dialect the product
     */
    public LiveJobs(Dialect dialect) {
        this.dialect = dialect;
        find = dialect.sql("SELECT " + columns(dialect) + " FROM pawl_job WHERE kind = ? AND unique_key = ?");
    }

    /** {@return what {@link #read} needs of a row; headers only of jobs that may expire} */
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
        try (PreparedStatement statement = dialect.planned(connection, find)) {
            statement.setString(1, job.kind());
            statement.setString(2, job.options().uniqueKey());
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? read(dialect, rows) : null;
            }
        }
    }

    /** {@return the job of the present row, selected by {@link #columns}} */
    public static LiveJob read(Dialect dialect, ResultSet row) throws SQLException {
        LiveJob.Standing standing = row.getInt(2) == 0 ? LiveJob.Standing.WAITING : LiveJob.Standing.KEPT;
        return new LiveJob(row.getLong(1), standing, expired(dialect, row));
    }

    /**
     * A job that waits has expired when its moment has passed, one that runs if it was claimed after that: then its worker is about to
     * cancel it.
     */
    private static LiveJob.@Nullable Expired expired(Dialect dialect, ResultSet row) throws SQLException {
        String headers = row.getString(3);
        Instant created = headers == null ? null : dialect.moment(row, "created_at");
        Instant expires = created == null ? null : Expiry.of(JobRows.headers(headers), created);
        if (headers == null || expires == null) {
            return null;
        }
        Instant since = dialect.moment(row, row.getInt(2) == 0 ? "present" : "started_at");
        return since == null || since.isBefore(expires) ? null : new LiveJob.Expired(headers, expires);
    }
}
