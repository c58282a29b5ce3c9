package dev.pawl.internal.store.sql;

import dev.pawl.internal.store.Lease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a fenced verb needs to know of a running job.
 *
 * @param lease the lease that is valid now
 * @param attempt the running attempt
 * @param leasedBy its worker
 * @param startedAt when it was claimed
 * @param cancelRequested whether it was asked to stop
 */
record RunningRow(
        Lease lease,
        int attempt,
        @Nullable Long leasedBy,
        @Nullable Instant startedAt,
        boolean cancelRequested) {
    /** Which rows to take. */
    enum Which {
        /** Wait for rows that somebody has locked. */
        ALL,
        /** Pass by rows that somebody has locked. */
        UNLOCKED,
        /** Only expired leases, and pass by rows that somebody has locked: a transaction of the handler is open. */
        EXPIRED
    }

    /** Locks the running jobs among {@code ids}, in the order of their ids. */
    static Map<Lease, RunningRow> lock(Connection connection, Dialect dialect, List<Long> ids, Which which)
            throws SQLException {
        String sql = dialect.sql("""
                SELECT id, lease_token, attempt, leased_by, started_at, cancel_requested
                  FROM %s
                 WHERE %s AND %s %s
                 ORDER BY id %s
                """.formatted(
                        dialect.jobsById(),
                        dialect.runs(),
                        dialect.anyOf("id", ids.size()),
                        which == Which.EXPIRED ? "AND lease_expires_at <= " + dialect.now() : "",
                        which == Which.ALL ? dialect.forUpdate() : dialect.skipLocked()));
        Map<Lease, RunningRow> found = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            dialect.bindIds(statement, 1, ids);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    Lease lease = new Lease(rows.getLong("id"), rows.getLong("lease_token"));
                    found.put(
                            lease,
                            new RunningRow(
                                    lease,
                                    rows.getInt("attempt"),
                                    JobRows.longOrNull(rows, "leased_by"),
                                    dialect.moment(rows, "started_at"),
                                    rows.getBoolean("cancel_requested")));
                }
            }
        }
        return found;
    }
}
