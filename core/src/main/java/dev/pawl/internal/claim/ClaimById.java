package dev.pawl.internal.claim;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.Grant;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Claims jobs by id, within a transaction that releases them from their key. Jobs that it does not claim stay unchanged. Thread-safe. */
public interface ClaimById {
    /**
     * Claims jobs. Skips rows that other transactions have locked; a row that is locked at the same moment may delay the claim by half a
     * second.
     *
     * @param connection in a transaction
     * @param request the worker, queue and kinds; claims nothing from a paused queue
     * @param ids of blocked jobs; a job that was run early, and now waits for a retry, is skipped
     * @return the claimed jobs, if the transaction commits; in no particular order
     * @throws SQLException from the driver
     */
    List<Grant> claim(Connection connection, ClaimRequest request, List<Long> ids) throws SQLException;

    /** {@return the condition that a job may start once it is released: it waits for nothing but its key} */
    static String mayBegin(Dialect dialect) {
        return "(" + dialect.isIn(JobState.BLOCKED) + " OR " + dialect.isClaimable() + " AND available_at <= "
                + dialect.now() + ")";
    }
}
