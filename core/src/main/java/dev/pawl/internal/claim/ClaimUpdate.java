package dev.pawl.internal.claim;

import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimToken;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The update of a claim. */
public final class ClaimUpdate {
    /**
     * Takes the table and the expressions for now and for the end of the lease; see {@link #bind}. A job that was tried before, or has only
     * one attempt, always counts as prefetched. Then its worker logs the start separately, so a lost reply to this statement costs no
     * attempt. Expressions that depend on the old attempt come first, because MySQL assigns from left to right.
     */
    public static final String SET = """
            UPDATE %%s
               SET prefetched = (? OR attempt > 0 OR max_attempts = 1), state = 1, attempt = attempt + 1, lease_token = %s,
                   leased_by = ?, started_at = %%s, progress = NULL, lease_expires_at = %%s""".formatted(ClaimToken.sqlAfter("?").replace("%", "%%"));

    private ClaimUpdate() {}

    /**
     * Binds the parameters of {@link #SET}.
     *
     * @param drawn see {@link ClaimToken#draw}
     * @return the index of the next placeholder
     */
    public static int bind(PreparedStatement statement, ClaimRequest request, long drawn) throws SQLException {
        statement.setBoolean(1, request.ahead());
        statement.setLong(2, drawn);
        statement.setLong(3, request.workerId());
        statement.setLong(4, Micros.of(request.lease()));
        return 5;
    }
}
