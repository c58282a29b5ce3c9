package dev.pawl.internal.settle;

import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Settled;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Completes jobs in a faster way that a database may have, because nearly all runs are completed. */
public interface CompleteAll {
    /** Completes jobs in a transaction of its own. Fenced. Skips rows that other transactions have locked. */
    Settled completeAll(Connection connection, List<Lease> leases) throws SQLException;

    /** Completes a job in the caller's transaction, which has locked the row. Fenced; false if the lease is lost. */
    boolean completeOwn(Connection connection, Lease lease) throws SQLException;
}
