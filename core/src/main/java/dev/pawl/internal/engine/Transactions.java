package dev.pawl.internal.engine;

import dev.pawl.JobRun;
import dev.pawl.LeaseLostException;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.sql.Database;
import java.sql.SQLException;

/** Commits a handler's writes and the completion of its job together. */
final class Transactions {
    private final Database database;
    private final JobStore store;

    Transactions(Database database, JobStore store) {
        this.database = database;
        this.store = store;
    }

    /**
     * Lock the job, do the work, complete the job, commit. The lock comes first: from then on nobody can rescue the job,
     * and a lease that is lost already is noticed before any work is done.
     */
    void run(HeldJob held, JobRun.TransactionWork work) throws Exception {
        if (held.isCommitted()) {
            throw new IllegalStateException("job " + held.job().id()
                    + " is completed already: call run.transaction once, with all writes in it");
        }
        Lease lease = held.lease();
        try {
            database.once(connection -> {
                // Until the row is ours the lease is renewed as ever: waiting for a connection or a lock can take long.
                if (!store.lock(connection, lease)) {
                    throw new LeaseLostException(lease.jobId(), lease.token());
                }
                held.transaction(true);
                try {
                    work.run(connection);
                } catch (SQLException | RuntimeException e) {
                    throw e;
                } catch (Exception e) {
                    throw new Passed(e);
                }
                if (!store.complete(connection, lease)) {
                    throw new LeaseLostException(lease.jobId(), lease.token());
                }
                return lease;
            });
            held.commit();
        } catch (Passed passed) {
            throw passed.cause;
        } finally {
            held.transaction(false);
        }
    }

    /** Carries a checked exception of the user's code through the transaction. */
    private static final class Passed extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final Exception cause;

        Passed(Exception cause) {
            super(cause);
            this.cause = cause;
        }
    }
}
