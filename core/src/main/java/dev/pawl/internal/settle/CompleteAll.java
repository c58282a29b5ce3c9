package dev.pawl.internal.settle;

import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Settled;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Completes jobs in a faster way that a database may have. Other outcomes need no faster way, because they are rare. */
public interface CompleteAll {
    /** Completes jobs in a transaction that contains no work of their handlers. Fenced. Skips rows that other transactions have locked. */
    Settled completeAll(Connection connection, List<Lease> leases) throws SQLException;

    /** Completes a job in the caller's transaction, which has locked the row. Fenced; false if the lease is lost. */
    boolean completeOwn(Connection connection, Lease lease) throws SQLException;
}
