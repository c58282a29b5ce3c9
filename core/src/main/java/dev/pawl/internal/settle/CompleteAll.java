package dev.pawl.internal.settle;

import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Settled;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A database's own, faster way to complete jobs, which is the verdict on nearly all runs. */
public interface CompleteAll {
    /** Fenced. Skips rows that other transactions have locked. In a transaction of its own. */
    Settled completeAll(Connection connection, List<Lease> leases) throws SQLException;

    /** Fenced. In the caller's transaction, which has locked the row; false if the lease is lost. */
    boolean completeOwn(Connection connection, Lease lease) throws SQLException;
}
