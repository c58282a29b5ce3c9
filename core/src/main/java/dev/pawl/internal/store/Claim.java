package dev.pawl.internal.store;

import java.sql.SQLException;
import java.util.List;

/** The first half of a {@link ClaimStrategy}: how jobs are taken. Thread-safe. */
@FunctionalInterface
public interface Claim {
    /**
     * See {@link ClaimStrategy#claim}.
     *
     * @param request what to claim
     * @return in the order in which they are to be run
     * @throws SQLException from the driver
     */
    List<Grant> claim(ClaimRequest request) throws SQLException;

    /** {@return how many claims have been lost to faster workers so far} */
    default long lost() {
        return 0;
    }
}
