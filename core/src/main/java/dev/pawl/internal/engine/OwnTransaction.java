package dev.pawl.internal.engine;

import dev.pawl.api.JobRun;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** Gives a handler's work the transaction of its run: opens one, or uses the one that is open around the handler. */
final class OwnTransaction {
    private final HeldJob held;
    private final Transactions transactions;
    private volatile @Nullable Connection open;

    OwnTransaction(HeldJob held, Transactions transactions) {
        this.held = held;
        this.transactions = transactions;
    }

    /** The handler runs inside this connection's transaction. */
    void isOpen(Connection connection) {
        open = connection;
    }

    void run(JobRun.TransactionWork work) throws Exception {
        Connection around = open;
        if (around != null) {
            work.run(around);
        } else {
            transactions.run(held, work);
        }
    }
}
