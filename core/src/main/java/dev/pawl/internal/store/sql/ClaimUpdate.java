package dev.pawl.internal.store.sql;

import dev.pawl.internal.store.ClaimedJob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What a claim writes, and how the claimed rows are read back. */
final class ClaimUpdate {
    /** Takes the table and the expressions for now and for the end of the lease; binds the worker and the lease's microseconds. */
    static final String SET = """
            UPDATE %s
               SET state = 1, attempt = attempt + 1, lease_token = lease_token + 1, leased_by = ?,
                   started_at = %s, progress = NULL, lease_expires_at = %s""";

    private ClaimUpdate() {}

    /** Reads rows that were claimed just now. */
    static List<ClaimedJob> claimed(Connection connection, Dialect dialect, List<Long> ids) throws SQLException {
        String sql = dialect.sql(
                "SELECT " + JobRows.LIVE + " FROM " + dialect.jobsById() + " WHERE " + dialect.anyOf("id", ids.size()));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            dialect.bindIds(statement, 1, ids);
            List<ClaimedJob> claimed = new ArrayList<>(ids.size());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    claimed.add(new ClaimedJob(JobRows.live(dialect, rows)));
                }
            }
            return ClaimOrder.sort(claimed);
        }
    }
}
