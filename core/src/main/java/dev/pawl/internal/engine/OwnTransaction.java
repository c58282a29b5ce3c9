package dev.pawl.internal.engine;

import dev.pawl.JobRun;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** How a handler's work gets the run's transaction: opened for it, or already open around the handler. */
final class OwnTransaction {
    private final HeldJob held;
    private final Transactions transactions;
    private volatile @Nullable Connection open;

    OwnTransaction(HeldJob held, Transactions transactions) {
        this.held = held;
        this.transactions = transactions;
    }

    /** From now on the handler runs inside this one. */
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
