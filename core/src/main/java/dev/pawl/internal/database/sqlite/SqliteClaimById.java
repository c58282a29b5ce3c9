package dev.pawl.internal.database.sqlite;

import dev.pawl.internal.claim.ClaimById;
import dev.pawl.internal.claim.ClaimOrder;
import dev.pawl.internal.claim.ClaimUpdate;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.jdbc.QueuePause;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimToken;
import dev.pawl.internal.store.Grant;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The claim by id in one statement: the transaction has the write lock, so no rows are locked by others. */
final class SqliteClaimById implements ClaimById {
    private final Dialect dialect;

    SqliteClaimById(Dialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public List<Grant> claim(Connection connection, ClaimRequest request, List<Long> ids) throws SQLException {
        String sql = dialect.sql(ClaimUpdate.SET.formatted(dialect.jobsById(), dialect.now(), dialect.nowPlusMicros())
                + ", available_at = " + dialect.now() + " WHERE " + dialect.anyOf("id", ids.size())
                + " AND " + ClaimById.mayBegin(dialect) + " AND kind IN (?"
                + ",?".repeat(request.kinds().size() - 1)
                + ") AND " + QueuePause.isOpen("?")
                + " RETURNING " + JobRows.LIVE);
        List<Grant> claimed = new ArrayList<>(ids.size());
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int index = dialect.bindIds(statement, ClaimUpdate.bind(statement, request, ClaimToken.draw()), ids);
            for (String kind : request.kinds()) {
                statement.setString(index++, kind);
            }
            statement.setString(index, request.queue());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    claimed.add(new Grant(JobRows.live(dialect, rows)));
                }
            }
        }
        return ClaimOrder.sort(claimed);
    }
}
