package dev.pawl.internal.jdbc;

import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.internal.codec.JsonStrings;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads rows of {@code pawl_job} and {@code pawl_job_history}. */
public final class JobRows {
    private static final Logger LOG = LoggerFactory.getLogger(JobRows.class);

    /** Whether a job has one of the values that few jobs have; if not, the columns of these values are not read. */
    private static final String HAS_RARE =
            ", (progress IS NOT NULL OR unique_key IS NOT NULL OR unindexed_key IS NOT NULL"
                    + " OR job_key IS NOT NULL OR tags IS NOT NULL OR headers IS NOT NULL"
                    + " OR batch_id IS NOT NULL OR cost IS NOT NULL OR expires_at IS NOT NULL) AS has_rare";

    /** The columns of a live job that make a {@link Job}, in the order of the table. */
    public static final String LIVE = """
            id, state, priority, attempt, max_attempts, lease_token, progress, cancel_requested, created_at, \
            available_at, started_at, lease_expires_at, leased_by, expires_at, batch_id, cost, queue, kind, \
            COALESCE(unique_key, unindexed_key) AS unique_key, job_key, tags, headers, payload""" + HAS_RARE;

    /** The columns of a finished job that make a {@link Job}, in the order of the table. */
    public static final String FINISHED = """
            id, state, priority, attempt, max_attempts, lease_token, progress, created_at, available_at, started_at, \
            finished_at, leased_by, expires_at, batch_id, cost, queue, kind, \
            COALESCE(unique_key, unindexed_key) AS unique_key, job_key, tags, headers, payload, reason""" + HAS_RARE;

    /** Timeout of an interactive query, which holds a connection; SQLite has none. */
    public static final int QUERY_TIMEOUT_SECONDS = 5;

    private JobRows() {}

    /** {@return the given columns, such as {@link #LIVE}, but with an empty payload instead of the stored one} */
    public static String briefly(String columns) {
        return columns.replace(" payload", " '' AS payload");
    }

    /** Reads the current row, selected by {@link #LIVE}. */
    public static Job live(Dialect dialect, ResultSet row) throws SQLException {
        return read(
                dialect, row, null, dialect.moment(row, "lease_expires_at"), row.getBoolean("cancel_requested"), null);
    }

    /** Reads the current row, selected by {@link #FINISHED}. */
    public static Job finished(Dialect dialect, ResultSet row) throws SQLException {
        return read(dialect, row, dialect.moment(row, "finished_at"), null, false, row.getString("reason"));
    }

    private static Job read(
            Dialect dialect,
            ResultSet row,
            @Nullable Instant finishedAt,
            @Nullable Instant leaseExpiresAt,
            boolean cancelRequested,
            @Nullable String reason)
            throws SQLException {
        Job.Builder job = Job.builder(row.getLong("id"), row.getString("kind"), row.getString("queue"))
                .state(JobState.ofCode(row.getInt("state")))
                .priority(row.getInt("priority"))
                .attempt(row.getInt("attempt"))
                .maxAttempts(row.getInt("max_attempts"))
                .createdAt(present(dialect.moment(row, "created_at")))
                .availableAt(present(dialect.moment(row, "available_at")))
                .startedAt(dialect.moment(row, "started_at"))
                .finishedAt(finishedAt)
                .leasedBy(longOrNull(row, "leased_by"))
                .leaseExpiresAt(leaseExpiresAt)
                .leaseToken(row.getLong("lease_token"))
                .cancelRequested(cancelRequested)
                .payload(row.getString("payload"))
                .reason(reason);
        return (row.getBoolean("has_rare") ? withRare(dialect, row, job) : job).build();
    }

    private static Job.Builder withRare(Dialect dialect, ResultSet row, Job.Builder job) throws SQLException {
        return job.progress(intOrNull(row, "progress"))
                .uniqueKey(row.getString("unique_key"))
                .tags(tags(row.getString("tags")))
                .headers(headers(row.getString("headers")))
                .key(row.getString("job_key"))
                .batch(batch(row.getLong("batch_id")))
                .cost(cost(row.getInt("cost")))
                .expiresAt(dialect.moment(row, "expires_at"));
    }

    private static Instant present(@Nullable Instant moment) {
        return moment == null ? Instant.EPOCH : moment;
    }

    /**
     * {@return the tags of a row, none for null} Text that is not a list is ignored. Another program must have written it, and an
     * unreadable row must not stop the claim of other rows.
     */
    public static List<String> tags(@Nullable String json) {
        try {
            return json == null ? List.of() : JsonStrings.readAll(json);
        } catch (RuntimeException malformed) {
            LOG.warn("tags that are not a JSON array of strings are ignored");
            return List.of();
        }
    }

    /** {@return the cost of a job: 1 if the column is null, for which JDBC returns 0} */
    public static int cost(int stored) {
        return Math.max(1, stored);
    }

    /** {@return a moment from a column of microseconds since 1970; null if it is null} */
    public static @Nullable Instant micros(ResultSet row, int column) throws SQLException {
        long stored = row.getLong(column);
        return stored == 0 && row.wasNull() ? null : Instant.EPOCH.plus(stored, ChronoUnit.MICROS);
    }

    /** {@return the batch of a job: null if the column is null, for which JDBC returns 0} */
    public static @Nullable Long batch(long stored) {
        return stored == 0 ? null : stored;
    }

    /** {@return the headers of a row, none for null} Text that is not an object is ignored, see {@link #tags}. */
    public static Map<String, String> headers(@Nullable String json) {
        try {
            return json == null ? Map.of() : JsonStrings.readMap(json);
        } catch (RuntimeException malformed) {
            LOG.warn("headers that are not a JSON object of strings are ignored");
            return Map.of();
        }
    }

    /** {@return the column's value, or null} */
    public static @Nullable Long longOrNull(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return value == 0 && row.wasNull() ? null : value;
    }

    private static @Nullable Integer intOrNull(ResultSet row, String column) throws SQLException {
        int value = row.getInt(column);
        return value == 0 && row.wasNull() ? null : value;
    }
}
