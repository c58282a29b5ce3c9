package dev.pawl.internal.store;

import java.sql.SQLException;
import java.util.List;

/** A claim strategy: how workers take jobs without getting in each other's way. Thread-safe. */
@FunctionalInterface
public interface Claim {
    /**
     * Claims jobs; see {@link JobStore#claim}.
     *
     * @return in the order in which they are to be run
     */
    List<ClaimedJob> claim(ClaimRequest request) throws SQLException;

    /** {@return how many claims were lost to workers that were faster, so far} */
    default long lost() {
        return 0;
    }
}
