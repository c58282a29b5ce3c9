package dev.pawl.internal.claim;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.Grant;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Claims certain jobs, within a transaction that knows that it is their turn. What it does not claim is left as it is. Thread-safe.
 */
public interface ClaimById {
    /**
     * Passes by rows that somebody else has locked; if one is locked at that very moment it may wait for half a second.
     *
     * @param connection in a transaction
     * @param request who claims for which kinds of which queue; nothing from a paused one
     * @param ids of jobs that wait for their turn; one that somebody has run before its turn and that waits for a retry is left alone
     * @return those that are claimed now, if the transaction commits; in no particular order
     * @throws SQLException from the driver
     */
    List<Grant> claim(Connection connection, ClaimRequest request, List<Long> ids) throws SQLException;

    /**
     * {@return the condition that a job may begin in its turn: it has waited for nothing else, or no longer does} One value is bound to it,
     * {@link dev.pawl.Job#PARKED}.
     */
    static String mayBegin(Dialect dialect) {
        return "(available_at = " + dialect.moment() + " OR available_at <= " + dialect.now() + ")";
    }
}
