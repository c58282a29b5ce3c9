package dev.pawl.internal.settle;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.store.Lease;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A running job, as read by a statement that has locked its row and checked its lease.
 *
 * @param lease the current lease
 * @param attempt the running attempt
 * @param leasedBy id of its worker
 * @param startedAt when it was claimed
 * @param cancelRequested whether a cancellation was requested
 * @param expiresAt when the lease expires; read only for {@link Which#EXPIRED}
 * @param batch to which the job belongs; 0 for none
 */
public record FencedRow(
        Lease lease,
        int attempt,
        @Nullable Long leasedBy,
        @Nullable Instant startedAt,
        boolean cancelRequested,
        @Nullable Instant expiresAt,
        long batch) {
    /** Which rows to lock. */
    public enum Which {
        /** Waits for locked rows. Used only by transactions of the run itself, such as that of its handler. */
        ALL,
        /** Skips locked rows. */
        UNLOCKED,
        /** Locks rows with expired leases only. Skips locked rows, because a lock means that the handler's transaction is still open. */
        EXPIRED
    }

    /**
     * Locks the rows of the valid leases, in the order of their ids.
     *
     * <p>The statement contains the tokens, so that a stale worker's outcome does not lock a job that another worker has
     * claimed. The tokens are a separate list and not paired with the ids, because for pairs MySQL would read the whole table. The set
     * {@code ours} then filters out mismatched pairs.
     */
    static Map<Lease, FencedRow> lock(Connection connection, Dialect dialect, Collection<Lease> leases, Which which)
            throws SQLException {
        Collection<Lease> wanted = leases;
        if (which != Which.ALL && !dialect.skipsLockedRows()) {
            wanted = valid(connection, dialect, leases); // otherwise a stale outcome would wait for the new worker
        }
        Map<Lease, FencedRow> found = new HashMap<>();
        if (wanted.isEmpty()) {
            return found;
        }
        List<Long> ids = ids(wanted);
        List<Long> tokens = tokens(wanted);
        Sql sql = dialect.planned("""
                SELECT id, lease_token, attempt, leased_by, started_at, cancel_requested, batch_id%s
                  FROM %s
                 WHERE %s AND %s AND %s %s
                 ORDER BY id %s
                """.formatted(
                        which == Which.EXPIRED ? ", lease_expires_at" : "",
                        dialect.jobsById(),
                        dialect.runs(),
                        dialect.anyOf("id", ids.size()),
                        dialect.anyOf("lease_token", tokens.size()),
                        which == Which.EXPIRED ? "AND lease_expires_at <= " + dialect.now() : "",
                        which == Which.ALL ? dialect.forUpdate() : dialect.skipLocked()));
        Set<Lease> ours = new HashSet<>(wanted);
        sql.on(connection, ids, tokens).each(row -> {
            Lease lease = new Lease(row.getLong("id"), row.getLong("lease_token"));
            if (ours.contains(lease)) {
                found.put(lease, read(dialect, row, lease, which));
            }
        });
        return found;
    }

    private static FencedRow read(Dialect dialect, ResultSet rows, Lease lease, Which which) throws SQLException {
        return new FencedRow(
                lease,
                rows.getInt("attempt"),
                JobRows.longOrNull(rows, "leased_by"),
                dialect.moment(rows, "started_at"),
                rows.getBoolean("cancel_requested"),
                which == Which.EXPIRED ? dialect.moment(rows, "lease_expires_at") : null,
                rows.getLong("batch_id"));
    }

    /** Finds the valid leases by a plain read, which also reads locked rows and never waits. */
    public static Set<Lease> valid(Connection connection, Dialect dialect, Collection<Lease> leases)
            throws SQLException {
        Set<Lease> valid = new HashSet<>();
        if (leases.isEmpty()) {
            return valid;
        }
        List<Long> ids = ids(leases);
        Sql sql = dialect.planned("SELECT id, lease_token FROM " + dialect.jobsById() + " WHERE " + dialect.runs()
                + " AND " + dialect.anyOf("id", ids.size()));
        Set<Lease> ours = new HashSet<>(leases);
        sql.on(connection, ids).each(rows -> {
            Lease lease = new Lease(rows.getLong(1), rows.getLong(2));
            if (ours.contains(lease)) {
                valid.add(lease);
            }
        });
        return valid;
    }

    private static List<Long> ids(Collection<Lease> leases) {
        return leases.stream().map(Lease::jobId).distinct().sorted().toList();
    }

    private static List<Long> tokens(Collection<Lease> leases) {
        return leases.stream().map(Lease::token).distinct().sorted().toList();
    }
}
