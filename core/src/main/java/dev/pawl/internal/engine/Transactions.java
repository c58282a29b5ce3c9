package dev.pawl.internal.engine;

import dev.pawl.JobRun;
import dev.pawl.LeaseLostException;
import dev.pawl.Outcome;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;

/** Commits a handler's writes and the completion of its job together. */
final class Transactions {
    private final JobStore store;
    private final Semaphore room;

    /**
     * @param store the verbs
     * @param atOnce how many transactions may be open at once: what the worker's own work leaves of the pool
     */
    Transactions(JobStore store, int atOnce) {
        this.store = store;
        this.room = new Semaphore(atOnce);
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
        if (held.isInTransaction()) { // else it might wait for itself
            throw new IllegalStateException("job " + held.job().id() + " is in its transaction already: do not call"
                    + " run.transaction within run.transaction, or in a handler that runs in a transaction as a whole");
        }
        Lease lease = held.lease();
        room.acquire();
        try {
            if (!held.strategy().detach(lease)) {
                throw new LeaseLostException(lease.jobId(), lease.token());
            }
            store.inTransaction(connection -> {
                // Until the row is ours, the lease is renewed as usual: waiting for a connection or a lock can take
                // long.
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
            room.release();
            held.transaction(false);
        }
    }

    /** What a handler does inside a transaction that is open around it. */
    interface Handling {
        Outcome handle(Connection connection) throws Exception;
    }

    /** Runs a whole handler in the transaction. Any outcome but completed rolls it back. */
    Outcome around(HeldJob held, Handling handling) throws Exception {
        try {
            run(held, connection -> {
                Outcome outcome = handling.handle(connection);
                if (!(outcome instanceof Outcome.Completed)) {
                    throw new NotCompleted(outcome);
                }
            });
            return Outcome.completed();
        } catch (NotCompleted e) {
            return e.outcome;
        }
    }

    /** Rolls the transaction back and carries the outcome out of it. */
    private static final class NotCompleted extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient Outcome outcome;

        NotCompleted(Outcome outcome) {
            super("the handler's outcome is not 'completed'", null, false, false);
            this.outcome = outcome;
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
