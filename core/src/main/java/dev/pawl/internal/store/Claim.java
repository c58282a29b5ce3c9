package dev.pawl.internal.store;

import java.sql.SQLException;
import java.util.List;

/** How a {@link ClaimStrategy} claims jobs. Thread-safe. */
@FunctionalInterface
public interface Claim {
    /**
     * See {@link ClaimStrategy#claim}.
     *
     * @param request what to claim
     * @return the grants, in the order in which the jobs should run
     * @throws SQLException from the driver
     */
    List<Grant> claim(ClaimRequest request) throws SQLException;

    /** {@return how many claims failed because other workers were faster} */
    default long lost() {
        return 0;
    }
}
