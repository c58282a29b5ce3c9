package dev.pawl.internal.enqueue;

import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.internal.feature.LiveJob;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.words.ReservedHeaders;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Finds the live job that has a unique key. A plain read: it takes no lock and waits for none. */
public final class LiveJobs {
    /** The SQL expression for what {@link #isTied} needs: an empty text if the job has a concurrency key or a batch, else its headers. */
    public static final String TIES = "CASE WHEN job_key IS NULL AND batch_id IS NULL THEN headers ELSE '' END";

    private final Dialect dialect;
    private final Sql find;

    /**
     * @param dialect the product
     */
    public LiveJobs(Dialect dialect) {
        this.dialect = dialect;
        find = dialect.planned("SELECT " + columns(dialect) + " FROM pawl_job WHERE kind = ? AND unique_key = ?");
    }

    /** {@return the columns that {@link #read} needs} */
    public static String columns(Dialect dialect) {
        return "id, state, " + TIES + " AS ties, expires_at, started_at, " + dialect.now() + " AS present";
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
        LiveJob.Phase phase = waits(row) ? LiveJob.Phase.WAITING : LiveJob.Phase.KEPT;
        boolean isTied = phase == LiveJob.Phase.WAITING && isTied(row.getString(3)); // others are never replaced
        return new LiveJob(row.getLong(1), phase, isTied, expiredAt(dialect, row));
    }

    /**
     * {@return whether other rows depend on a job, so that no other job may replace it} A tied job has a concurrency key, or belongs to a
     * batch or a schedule. A tied job stays tied, and an untied job stays untied.
     *
     * @param ties the value of {@link #TIES}
     */
    public static boolean isTied(@Nullable String ties) {
        return ties != null && (ties.isEmpty() || ReservedHeaders.tie(JobRows.headers(ties)));
    }

    private static boolean waits(ResultSet row) throws SQLException {
        return JobState.ofCode(row.getInt(2)).isWaiting();
    }

    /**
     * A waiting job has expired once its expiry has passed. A running job has expired if it was claimed after its expiry, so that its
     * worker is about to cancel it.
     */
    private static @Nullable Instant expiredAt(Dialect dialect, ResultSet row) throws SQLException {
        Instant expires = dialect.moment(row, "expires_at");
        if (expires == null) {
            return null;
        }
        Instant since = dialect.moment(row, waits(row) ? "present" : "started_at");
        return since == null || since.isBefore(expires) ? null : expires;
    }
}
