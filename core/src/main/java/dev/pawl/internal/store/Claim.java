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
     * @return the grants, in the order in which they are to be run
     * @throws SQLException from the driver
     */
    List<Grant> claim(ClaimRequest request) throws SQLException;

    /** {@return how many claims were lost to faster workers} */
    default long lost() {
        return 0;
    }
}
