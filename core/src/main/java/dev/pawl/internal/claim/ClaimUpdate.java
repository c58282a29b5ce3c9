package dev.pawl.internal.claim;

import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.store.ClaimRequest;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** What a claim writes. */
public final class ClaimUpdate {
    /**
     * Takes the table and the expressions for now and for the end of the lease; see {@link #bind}. A job that was tried
     * before or has no other try counts as claimed ahead in any case: the reply to this statement may be lost. What depends on
     * the old attempt comes first, because MySQL assigns from left to right.
     */
    public static final String SET = """
            UPDATE %s
               SET prefetched = (? OR attempt > 0 OR max_attempts = 1), state = 1, attempt = attempt + 1,
                   lease_token = lease_token + 1, leased_by = ?, started_at = %s, progress = NULL, lease_expires_at = %s""";

    private ClaimUpdate() {}

    /**
     * Binds what {@link #SET} takes.
     *
     * @return the index of the next placeholder
     */
    public static int bind(PreparedStatement statement, ClaimRequest request) throws SQLException {
        statement.setBoolean(1, request.ahead());
        statement.setLong(2, request.workerId());
        statement.setLong(3, Micros.of(request.lease()));
        return 4;
    }
}
