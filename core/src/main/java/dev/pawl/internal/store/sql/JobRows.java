package dev.pawl.internal.store.sql;

import dev.pawl.Job;
import dev.pawl.JobState;
import dev.pawl.internal.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads rows of {@code pawl_job} and {@code pawl_job_history}. */
public final class JobRows {
    /** The columns of a live job that make a {@link Job}, in the order of the table. */
    public static final String LIVE = """
            id, state, priority, attempt, max_attempts, lease_token, progress, cancel_requested, created_at, \
            available_at, started_at, lease_expires_at, leased_by, queue, kind, unique_key, tags, payload""";

    /** The same from the history, with what a live row does not have. */
    public static final String FINISHED = """
            id, state, priority, attempt, max_attempts, lease_token, progress, created_at, available_at, started_at, \
            finished_at, leased_by, queue, kind, unique_key, tags, payload, reason""";

    private JobRows() {}

    /** Reads the present row, selected by {@link #LIVE}. */
    public static Job live(Dialect dialect, ResultSet row) throws SQLException {
        return read(
                dialect, row, null, dialect.moment(row, "lease_expires_at"), row.getBoolean("cancel_requested"), null);
    }

    /** Reads the present row, selected by {@link #FINISHED}. */
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
        return new Job(
                row.getLong("id"),
                row.getString("kind"),
                row.getString("queue"),
                JobState.ofCode(row.getInt("state")),
                row.getInt("priority"),
                row.getInt("attempt"),
                row.getInt("max_attempts"),
                present(dialect.moment(row, "created_at")),
                present(dialect.moment(row, "available_at")),
                dialect.moment(row, "started_at"),
                finishedAt,
                longOrNull(row, "leased_by"),
                leaseExpiresAt,
                row.getLong("lease_token"),
                cancelRequested,
                intOrNull(row, "progress"),
                row.getString("unique_key"),
                tags(row.getString("tags")),
                row.getString("payload"),
                reason);
    }

    private static Instant present(@Nullable Instant moment) {
        return moment == null ? Instant.EPOCH : moment;
    }

    /** {@return the tags of a row, none for null} */
    public static List<String> tags(@Nullable String json) {
        return json == null ? List.of() : Json.strings(json);
    }

    /** {@return the column's value, or null} */
    public static @Nullable Long longOrNull(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }

    private static @Nullable Integer intOrNull(ResultSet row, String column) throws SQLException {
        int value = row.getInt(column);
        return row.wasNull() ? null : value;
    }
}
