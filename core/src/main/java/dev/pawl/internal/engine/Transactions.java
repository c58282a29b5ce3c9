package dev.pawl.internal.engine;

import dev.pawl.api.JobRun;
import dev.pawl.api.LeaseLostException;
import dev.pawl.api.Outcome;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.RunFence;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.TransactionMark;
import dev.pawl.internal.store.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Commits a handler's writes and the completion of its job together. */
final class Transactions {
    /** Maximum number of tries of a transaction that conflicts with others before its work begins. */
    private static final int TRIES = 4;

    private final JobStore store;
    private final Conflicts conflicts;
    private final Semaphore room;

    /**
     * @param store runs the statements
     * @param conflicts receives rollbacks caused by other transactions
     * @param atOnce maximum number of open transactions, so that connections are left for the worker itself
     */
    Transactions(JobStore store, Conflicts conflicts, int atOnce) {
        this.store = store;
        this.conflicts = conflicts;
        this.room = new Semaphore(atOnce);
    }

    /**
     * Writes the job's fence or locks its row, does the work, completes the job, and commits. The fence or the lock comes first, so that no
     * worker can rescue the job from then on, and a lost lease is detected before any work is done.
     */
    void run(HeldJob held, JobRun.TransactionWork work) throws Exception {
        Lease unused = entered(
                held,
                "run.transaction",
                start -> {
                    RunFence fence = held.strategy().fence(held.lease());
                    Locked<Lease> completing = connection -> completing(connection, held, work, fence);
                    if (fence == null) {
                        return inRow(store::inTransaction, held, start, completing);
                    }
                    boolean committed = false;
                    try {
                        Lease done = store.inTransaction(
                                connection -> begun(fence.write(connection), connection, held, start, completing));
                        committed = true;
                        return done;
                    } finally {
                        fence.end(committed);
                    }
                },
                done -> held.commit());
    }

    private Lease completing(Connection connection, HeldJob held, JobRun.TransactionWork work, @Nullable RunFence fence)
            throws SQLException {
        Lease lease = held.lease();
        work(connection, lease, fence == null ? store.mark(connection) : fence, () -> {
            work.run(connection);
            return lease;
        });
        Settlement completed = new Settlement(
                lease, new Verdict.Completed(held.result()), held.job().batch().orElse(0));
        if (fence != null) {
            store.completed(connection, completed);
        } else if (!store.complete(connection, completed)) {
            throw new LeaseLostException(lease.jobId(), lease.token());
        }
        return lease;
    }

    /**
     * Work in a transaction.
     *
     * @param <T> the result
     */
    interface Locked<T> {
        T run(Connection connection) throws Exception;
    }

    /**
     * Locks the job, does the work, commits.
     *
     * @param committed receives the result before the lease can be considered lost
     */
    <T> T locked(HeldJob held, String what, Locked<T> work, Consumer<T> committed) throws Exception {
        return locked(store::inTransaction, held, what, work, committed);
    }

    /** Does the same for short work of this library, and gives up the connection if the server does not answer for a while. */
    <T> T lockedBriefly(HeldJob held, String what, Locked<T> work, Consumer<T> committed) throws Exception {
        return locked(store::inShortTransaction, held, what, work, committed);
    }

    /** One of the store's two ways to open a transaction. */
    private interface Opening<T> {
        T transaction(JobStore.InTransaction<T> work) throws SQLException;
    }

    private <T> T locked(Opening<T> opening, HeldJob held, String what, Locked<T> work, Consumer<T> committed)
            throws Exception {
        return entered(held, what, start -> inRow(opening, held, start, work), committed);
    }

    /** Does the work in a transaction that locks the job's row. */
    private <T> T inRow(Opening<T> opening, HeldJob held, Start start, Locked<T> work) throws SQLException {
        Lease lease = held.lease();
        if (!held.strategy().detach(lease)) {
            throw new LeaseLostException(lease.jobId(), lease.token());
        }
        return opening.transaction(connection -> begun(store.lock(connection, lease), connection, held, start, work));
    }

    /**
     * Until the job is locked, its lease is renewed as usual, because waiting for a connection or a lock can take long.
     *
     * @param isOurs whether the transaction has locked the job
     */
    private static <T> T begun(boolean isOurs, Connection connection, HeldJob held, Start start, Locked<T> work)
            throws SQLException {
        if (!isOurs) {
            start.checkRows();
            throw new LeaseLostException(held.job().id(), held.lease().token());
        }
        held.clock().transaction(true);
        start.begins();
        try {
            return work.run(connection);
        } catch (SQLException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new Passed(e);
        }
    }

    private <T> T entered(HeldJob held, String what, Try<T> transaction, Consumer<T> committed) throws Exception {
        requireOutside(held, what);
        room.acquire();
        try {
            T result = untilBegun(List.of(held), transaction);
            committed.accept(result);
            return result;
        } catch (Passed passed) {
            throw passed.cause;
        } finally {
            room.release();
            held.clock().transaction(false);
        }
    }

    /** One attempt, which reports when the handler's work begins. */
    private interface Try<T> {
        T run(Start start) throws SQLException;
    }

    /** The progress of all attempts. */
    private static final class Start {
        private boolean hasBegun;
        private boolean hasChecked;

        void begins() {
            hasBegun = true;
        }

        /** Called when some rows are missing. Whether their leases are lost is checked once, outside the transaction. */
        void checkRows() {
            if (!hasChecked) {
                hasChecked = true;
                throw new RowsMissing();
            }
        }
    }

    private static final class RowsMissing extends RuntimeException {
        private static final long serialVersionUID = 1L;

        RowsMissing() {
            super(null, null, false, false);
        }
    }

    /**
     * Retries conflicts with other transactions until the handler's work has begun. Later failures are rolled back and release the run,
     * because only the handler knows whether its work may be repeated.
     */
    private <T> T untilBegun(List<HeldJob> jobs, Try<T> one) throws SQLException {
        Start start = new Start();
        for (int tries = 1; ; tries++) {
            try {
                return one.run(start);
            } catch (RowsMissing missing) {
                for (HeldJob held : jobs) {
                    Set<Lease> unused = held.strategy().withoutRows(List.of(held.lease())); // so detach adds new rows
                }
            } catch (SQLException | RuntimeException e) {
                Throwable by = e instanceof Passed passed ? passed.cause : e;
                boolean isOurs = false;
                for (HeldJob held : jobs) {
                    isOurs |= conflicts.note(held, by, e instanceof Passed);
                }
                if (start.hasBegun || !isOurs || tries >= TRIES) {
                    throw e;
                }
            }
        }
    }

    /**
     * Does a handler's work in the transaction of its job. The exceptions of the work are wrapped in {@code Passed}, which tells them from
     * those of the surrounding statements.
     *
     * @throws SQLException if the transaction ended during the work
     */
    <T> T work(Connection connection, Lease lease, Callable<T> work) throws SQLException {
        return work(connection, lease, store.mark(connection), work);
    }

    private static <T> T work(Connection connection, Lease lease, TransactionMark mark, Callable<T> work)
            throws SQLException {
        T value;
        try {
            value = work.call();
        } catch (Exception e) {
            throw new Passed(e);
        }
        if (!mark.isIntact(connection)) {
            throw new SQLException(
                    "the transaction of job " + lease.jobId() + " ended while its handler ran. If a statement fails,"
                            + " as by a deadlock, let the exception leave the handler: the database may have rolled"
                            + " back. Do not commit either, also not by a statement that commits, such as TRUNCATE on MySQL",
                    "25000");
        }
        return value;
    }

    /** Work for jobs that are completed together. */
    interface ForAll {
        /**
         * @param ours the locked jobs
         */
        void run(Connection connection, List<HeldJob> ours) throws Exception;
    }

    /**
     * Does the same as {@link #run} for several jobs. Locks the jobs whose leases are not lost, does the work, completes these jobs, and
     * commits.
     */
    void runAll(List<HeldJob> jobs, ForAll work) throws Exception {
        for (HeldJob job : jobs) {
            requireOutside(job, "chunk.transaction");
        }
        List<HeldJob> inOrder = jobs.stream()
                .sorted(Comparator.comparingLong(held -> held.job().id()))
                .toList();
        room.acquire();
        try {
            List<HeldJob> completed = untilBegun(inOrder, start -> {
                List<HeldJob> rows = new ArrayList<>();
                for (HeldJob held : inOrder) {
                    if (held.strategy().detach(held.lease())) {
                        rows.add(held);
                    }
                }
                return store.inTransaction(connection -> completeAll(
                        connection, rows, work, start, inOrder.get(0).lease()));
            });
            completed.forEach(HeldJob::commit);
        } catch (Passed passed) {
            throw passed.cause;
        } finally {
            room.release();
            jobs.forEach(held -> held.clock().transaction(false));
        }
    }

    private List<HeldJob> completeAll(Connection connection, List<HeldJob> rows, ForAll work, Start start, Lease first)
            throws SQLException {
        Set<Lease> locked =
                store.lock(connection, rows.stream().map(HeldJob::lease).toList());
        if (locked.size() < rows.size()) {
            start.checkRows();
        }
        List<HeldJob> ours =
                rows.stream().filter(held -> locked.contains(held.lease())).toList();
        if (ours.isEmpty()) {
            throw new LeaseLostException(first.jobId(), first.token());
        }
        ours.forEach(held -> held.clock().transaction(true));
        start.begins();
        work(connection, first, () -> {
            work.run(connection, ours);
            return ours;
        });
        List<Settlement> runs = ours.stream()
                .map(held -> new Settlement(
                        held.lease(),
                        new Verdict.Completed(held.result()),
                        held.job().batch().orElse(0)))
                .toList();
        Set<Lease> done = store.complete(connection, runs);
        for (HeldJob held : ours) {
            if (!done.contains(held.lease())) {
                throw new LeaseLostException(held.job().id(), held.lease().token());
            }
        }
        return ours;
    }

    /**
     * Fails if the run is suspended, completed or in its transaction already. Called before any work, because the work could not be stored.
     */
    void requireOutside(HeldJob held, String what) {
        if (held.suspension() != null) {
            throw new IllegalStateException("job " + held.job().id() + " is suspended, and " + what
                    + " comes too late: do not catch RunSuspended");
        }
        if (held.isCommitted()) {
            throw new IllegalStateException("job " + held.job().id()
                    + " is completed already: call run.transaction once, with all writes in it, as the last thing");
        }
        if (held.clock().isInTransaction()) { // a second transaction might wait for the first
            throw new IllegalStateException("job " + held.job().id() + " is in its transaction already: do not call "
                    + what + " within run.transaction, or in a handler that runs in a transaction as a whole");
        }
        store.requireNoTransaction();
    }

    /** A handler's call inside the transaction around it. */
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

    /** Carries an exception of the user's code through the transaction. */
    private static final class Passed extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final Exception cause;

        Passed(Exception cause) {
            super(null, cause, false, false);
            this.cause = cause;
        }
    }
}
