package dev.pawl.internal.database.postgres;

import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.Grant;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the result of a claim: only values that the worker does not know yet, and timestamps as numbers, because formatting them as text
 * costs the server a tenth of the whole claim.
 */
final class ClaimedRows {
    static final String COLUMNS = """
            id, priority, attempt, max_attempts, lease_token, %s, %s, %s, kind, COALESCE(unique_key, unindexed_key), tags, \
            headers, payload, job_key, batch_id, cost, %s""".formatted(
                    micros("created_at"),
                    // A row written by hand may have the time infinity, which cannot be converted to a number. The
                    // error would stop the queue.
                    micros("CASE WHEN isfinite(available_at) THEN available_at ELSE created_at END"),
                    micros("started_at"),
                    micros("CASE WHEN isfinite(expires_at) THEN expires_at END"));

    private ClaimedRows() {}

    /** Microseconds since 1970. They are exact until the year 2100, because a double holds the seconds to a quarter of a microsecond. */
    private static String micros(String column) {
        return "(date_part('epoch', " + column + ") * 1000000)::bigint";
    }

    /**
     * @param counted whether the first column is the number of jobs that were found; if none of them was claimed, the other
     *     columns of a single row are null
     */
    static PostgresClaim.Found read(PreparedStatement statement, ClaimRequest request, boolean counted)
            throws SQLException {
        List<Grant> claimed = new ArrayList<>(request.limit());
        int before = counted ? 1 : 0;
        long seen = 0;
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                seen = counted ? rows.getLong(1) : seen + 1;
                if (rows.getLong(before + 1) != 0 || !rows.wasNull()) {
                    claimed.add(new Grant(job(rows, before, request)));
                }
            }
        }
        return new PostgresClaim.Found(claimed, seen);
    }

    private static Job job(ResultSet row, int before, ClaimRequest request) throws SQLException {
        Instant startedAt = moment(row, before + 8);
        return Job.builder(row.getLong(before + 1), row.getString(before + 9), request.queue())
                .state(JobState.RUNNING)
                .priority(row.getInt(before + 2))
                .attempt(row.getInt(before + 3))
                .maxAttempts(row.getInt(before + 4))
                .createdAt(moment(row, before + 6))
                .availableAt(moment(row, before + 7))
                .startedAt(startedAt)
                .leasedBy(request.workerId())
                .leaseExpiresAt(startedAt.plus(request.lease()))
                .leaseToken(row.getLong(before + 5))
                .uniqueKey(row.getString(before + 10))
                .tags(JobRows.tags(row.getString(before + 11)))
                .headers(JobRows.headers(row.getString(before + 12)))
                .payload(row.getString(before + 13))
                .key(row.getString(before + 14))
                .batch(JobRows.batch(row.getLong(before + 15)))
                .cost(JobRows.cost(row.getInt(before + 16)))
                .expiresAt(JobRows.micros(row, before + 17))
                .build();
    }

    private static Instant moment(ResultSet row, int column) throws SQLException {
        return Instant.EPOCH.plus(row.getLong(column), ChronoUnit.MICROS);
    }
}
