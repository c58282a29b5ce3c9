package dev.pawl.internal.engine;

import dev.pawl.LeaseLostException;
import dev.pawl.Outcome;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that handlers share, one after the other, each behind a savepoint. What has completed in it is completed by
 * its commit, and by nothing else. For one thread.
 */
final class Together {
    private final JobStore store;
    private final Connection connection;
    private final Set<HeldJob> completed = new HashSet<>();
    private @Nullable SQLException broken;

    Together(JobStore store, Connection connection) {
        this.store = store;
        this.connection = connection;
    }

    /** Runs a handler; any outcome but completed, and any error, undoes its writes and leaves the others' alone. */
    Outcome around(HeldJob held, Transactions.Handling handling) throws Exception {
        Lease lease = held.lease();
        Savepoint before = connection.setSavepoint();
        try {
            if (!store.lock(connection, lease)) {
                throw new LeaseLostException(lease.jobId(), lease.token());
            }
            held.transaction(true);
            Outcome outcome = handling.handle(connection);
            if (!(outcome instanceof Outcome.Completed)) {
                undo(held, before);
            } else if (store.complete(connection, lease)) {
                connection.releaseSavepoint(before); // fails if the handler has ended the transaction by itself
                completed.add(held);
            } else {
                throw new LeaseLostException(lease.jobId(), lease.token());
            }
            return outcome;
        } catch (Throwable failure) { // as in Database: other languages throw what is neither an Exception nor an Error
            undo(held, before);
            throw failure;
        }
    }

    /** After a deadlock the server may have undone everything, the savepoint included. */
    private void undo(HeldJob held, Savepoint before) {
        held.transaction(false);
        try {
            connection.rollback(before);
        } catch (SQLException gone) {
            broken = gone;
        }
    }

    /** {@return whether more handlers may run in it} */
    boolean isSound() {
        return broken == null;
    }

    /** Throws if it must not be committed. */
    void requireSound() throws SQLException {
        if (broken != null) {
            throw broken;
        }
    }

    /** {@return whether this job is completed if the transaction is} */
    boolean hasCompleted(HeldJob held) {
        return completed.contains(held);
    }
}
