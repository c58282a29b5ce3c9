package dev.pawl.internal.claim;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.jdbc.Retry;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads which leases a worker really holds. Fenced: returns only jobs with the expected owner and token, because the process may have been
 * paused until other workers claimed the jobs again.
 */
public final class ReadBack {
    private ReadBack() {}

    /** Reads the jobs in one statement. */
    static List<Grant> of(Connection connection, Dialect dialect, long worker, Collection<Lease> expected)
            throws SQLException {
        List<Long> ids = expected.stream().map(Lease::jobId).distinct().sorted().toList();
        Set<Lease> ours = new HashSet<>(expected);
        String sql = dialect.sql("SELECT " + JobRows.LIVE + " FROM " + dialect.jobsById() + " WHERE leased_by = ? AND "
                + dialect.runs() + " AND " + dialect.anyOf("id", ids.size()));
        try (PreparedStatement statement = dialect.planned(connection, sql)) {
            statement.setLong(1, worker);
            dialect.bindIds(statement, 2, ids);
            List<Grant> claimed = new ArrayList<>(ids.size());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    Grant grant = new Grant(JobRows.live(dialect, rows));
                    if (ours.contains(grant.lease())) {
                        claimed.add(grant);
                    }
                }
            }
            return ClaimOrder.sort(claimed);
        }
    }

    /**
     * Reads the jobs within the transaction that has written the leases, and requires all of them. Missing rows mean that the session does
     * not read all rows; without this check their jobs would stay leased until the leases expire.
     */
    static List<Grant> ofAll(Connection connection, Dialect dialect, long worker, Collection<Lease> written)
            throws SQLException {
        List<Grant> claimed = of(connection, dialect, worker, written);
        if (claimed.size() != written.size()) {
            throw new SQLException("claimed " + written.size() + " jobs and read back " + claimed.size()
                    + ", so the claim is rolled back: does a setting of the session limit what a statement reads?");
        }
        return claimed;
    }

    /** Reads the jobs, and retries for a moment after transient faults, because claimed jobs must not be forgotten. */
    public static List<Grant> withRetry(Database database, long worker, Collection<Lease> expected)
            throws SQLException {
        return Retry.TRANSIENT.call(
                () -> database.autocommit(connection -> of(connection, database.dialect(), worker, expected)));
    }
}
