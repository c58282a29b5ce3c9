package dev.pawl.internal.claim;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.QueuePause;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimToken;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The claim by id for databases whose UPDATE cannot return rows: locks the free rows, updates them, reads them. */
public final class LockingClaimById implements ClaimById {
    private final Dialect dialect;

    /**
     * @param dialect the product
     */
    public LockingClaimById(Dialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public List<Grant> claim(Connection connection, ClaimRequest request, List<Long> ids) throws SQLException {
        long drawn = ClaimToken.draw();
        List<Lease> leases = lock(connection, request, ids, drawn);
        List<Long> locked = leases.stream().map(Lease::jobId).sorted().toList();
        if (locked.isEmpty()) {
            return List.of();
        }
        String sql = dialect.sql(ClaimUpdate.SET.formatted(dialect.jobsById(), dialect.now(), dialect.nowPlusMicros())
                + ", available_at = " + dialect.now() + " WHERE "
                + dialect.isIn(JobState.AVAILABLE, JobState.BLOCKED) + " AND "
                + dialect.anyOf("id", locked.size()));
        try (PreparedStatement statement = dialect.planned(connection, sql)) {
            int unused = dialect.bindIds(statement, ClaimUpdate.bind(statement, request, drawn), locked);
            int claimed = statement.executeUpdate();
            if (claimed != locked.size()) {
                throw new SQLException(
                        "claimed " + claimed + " of " + locked.size() + " locked jobs: another node was faster",
                        "40001");
            }
        }
        return ReadBack.ofAll(connection, dialect, request.workerId(), leases);
    }

    private List<Lease> lock(Connection connection, ClaimRequest request, List<Long> ids, long drawn)
            throws SQLException {
        String sql = dialect.sql("SELECT id, lease_token FROM " + dialect.jobsById() + " WHERE "
                + dialect.anyOf("id", ids.size()) + " AND " + ClaimById.mayBegin(dialect)
                + " AND COALESCE(queue, '') = ? AND kind IN (?"
                + ",?".repeat(request.kinds().size() - 1)
                + ") AND " + QueuePause.isOpen("?") + " "
                + dialect.skipLocked());
        List<Lease> leases = new ArrayList<>(ids.size());
        try (PreparedStatement statement = dialect.planned(connection, sql)) {
            int index = dialect.bindIds(statement, 1, ids);
            statement.setString(index++, request.queue());
            for (String kind : request.kinds()) {
                statement.setString(index++, kind);
            }
            statement.setString(index, request.queue());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    leases.add(new Lease(rows.getLong(1), ClaimToken.after(rows.getLong(2), drawn)));
                }
            }
        }
        return leases;
    }
}
