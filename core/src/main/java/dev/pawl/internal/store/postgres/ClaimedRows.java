package dev.pawl.internal.store.postgres;

import dev.pawl.Job;
import dev.pawl.JobState;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimedJob;
import dev.pawl.internal.store.sql.JobRows;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what a claim answers: only what the claimer does not know, and moments as numbers, because writing them as text
 * costs the server a tenth of the whole claim.
 */
final class ClaimedRows {
    static final String COLUMNS = """
            id, priority, attempt, max_attempts, lease_token, %s, %s, %s, kind, unique_key, tags, payload""".formatted(micros("created_at"), micros("available_at"), micros("started_at"));

    private ClaimedRows() {}

    /** Exact: a double holds the seconds since 1970 to a quarter of a microsecond until the year 2100. */
    private static String micros(String column) {
        return "(date_part('epoch', " + column + ") * 1000000)::bigint";
    }

    static List<ClaimedJob> read(PreparedStatement statement, ClaimRequest request) throws SQLException {
        List<ClaimedJob> claimed = new ArrayList<>(request.limit());
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                claimed.add(new ClaimedJob(job(rows, request)));
            }
        }
        return claimed;
    }

    private static Job job(ResultSet row, ClaimRequest request) throws SQLException {
        Instant startedAt = moment(row, 8);
        return new Job(
                row.getLong(1),
                row.getString(9),
                request.queue(),
                JobState.RUNNING,
                row.getInt(2),
                row.getInt(3),
                row.getInt(4),
                moment(row, 6),
                moment(row, 7),
                startedAt,
                null,
                request.workerId(),
                startedAt.plus(request.lease()),
                row.getLong(5),
                false,
                null,
                row.getString(10),
                JobRows.tags(row.getString(11)),
                row.getString(12),
                null);
    }

    private static Instant moment(ResultSet row, int column) throws SQLException {
        return Instant.EPOCH.plus(row.getLong(column), ChronoUnit.MICROS);
    }
}
