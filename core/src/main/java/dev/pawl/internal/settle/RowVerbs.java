package dev.pawl.internal.settle;

import dev.pawl.api.Retention;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LeaseRenewal;
import dev.pawl.internal.store.Renewal;
import dev.pawl.internal.store.Rescue;
import dev.pawl.internal.store.RunRequests;
import dev.pawl.internal.store.Settled;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fenced operations on jobs with rows of their own, each in one transaction. Thread-safe. */
public final class RowVerbs {
    private static final int SWEEP = 1000;
    private static final Duration SHORTEST_LIMIT = Duration.ofMillis(500);

    private final Database database;
    private final Settle settle;
    private final CompletionHook completionHook;
    private final CompleteAll completeAll;
    private final Leases leases;
    private final AbandonedJobs abandonedJobs;
    private final MarkedJobs markedJobs;

    /**
     * @param database the pool and the dialect
     * @param own the database's faster way to complete; null for the plain one
     * @param retention which finished jobs are kept at all
     * @param completionHook writes results and batches when jobs finish
     */
    public RowVerbs(Database database, @Nullable CompleteAll own, Retention retention, CompletionHook completionHook) {
        Dialect dialect = database.dialect();
        this.database = database;
        KeptStates kept = new KeptStates(dialect, retention);
        this.settle = new Settle(dialect, kept, completionHook);
        this.completionHook = completionHook;
        this.completeAll = own != null ? own : new PlainCompletion(new Settle(dialect, kept, CompletionHook.NONE));
        this.leases = new Leases(dialect);
        this.abandonedJobs = new AbandonedJobs(dialect);
        this.markedJobs = new MarkedJobs(dialect, kept);
    }

    /** See {@link dev.pawl.internal.store.ClaimStrategy#settle}. */
    public Settled settle(List<Settlement> runs, int tries) throws SQLException {
        return SettleApart.settle(runs, some -> settleAtOnce(some, tries));
    }

    private Settled settleAtOnce(List<Settlement> runs, int tries) throws SQLException {
        if (runs.stream().allMatch(run -> run.verdict() instanceof Verdict.Completed)) {
            List<Lease> completed =
                    runs.stream().map(Settlement::lease).sorted().toList();
            return database.transaction(tries, connection -> {
                Settled settled = completeAll.completeAll(connection, completed);
                after(connection, runs, settled.accepted(), completionHook.withoutWaiting());
                return settled;
            });
        }
        return database.transaction(tries, connection -> settleWithin(connection, runs, List.of()));
    }

    private static List<FinishedJob> notable(Collection<Settlement> completed, Set<Lease> accepted) {
        return completed.stream()
                .filter(run -> !FinishedJob.isPlain(run) && accepted.contains(run.lease()))
                .map(FinishedJob::completed)
                .toList();
    }

    /** Calls the completion hook for the accepted runs, except for plain jobs. */
    private static void after(
            Connection connection, Collection<Settlement> completed, Set<Lease> accepted, CompletionHook written)
            throws SQLException {
        List<FinishedJob> notable = notable(completed, accepted);
        if (!notable.isEmpty()) {
            written.afterCompletion(connection, notable);
        }
    }

    /**
     * Settles runs within a transaction of the caller. The caller retries after contention. Waits while a batch of these runs is being
     * sealed.
     */
    public Settled settleWithin(Connection connection, List<Settlement> runs) throws SQLException {
        return settle.settle(connection, runs, FencedRow.Which.UNLOCKED);
    }

    /**
     * Settles runs after the jobs {@code before} were completed in the caller's transaction. Calls the completion hook once, for both the
     * runs and these jobs.
     *
     * @throws HookBusy instead of waiting for a lock that a hook needs
     */
    public Settled settleWithin(Connection connection, List<Settlement> runs, List<FinishedJob> before)
            throws SQLException {
        return settle.settle(connection, runs, FencedRow.Which.UNLOCKED, before, completionHook.withoutWaiting());
    }

    /**
     * Marks the jobs of completed runs, which locks only the rows of these jobs; {@link #sweep} moves them to the history later. Settles
     * the other runs in the same transaction.
     */
    public Settled mark(List<Settlement> runs, int tries) throws SQLException {
        return SettleApart.settle(runs, some -> markAtOnce(some, tries));
    }

    private Settled markAtOnce(List<Settlement> runs, int tries) throws SQLException {
        List<Settlement> completed = new ArrayList<>();
        List<Settlement> others = new ArrayList<>();
        for (Settlement run : runs) {
            if (run.verdict() instanceof Verdict.Completed) {
                completed.add(run);
            } else {
                others.add(run);
            }
        }
        return database.transaction(tries, connection -> {
            Settled marked = markedJobs.mark(
                    connection, completed.stream().map(Settlement::lease).toList());
            if (others.isEmpty()) {
                after(connection, completed, marked.accepted(), completionHook.withoutWaiting());
                return marked;
            }
            Settled settled = settleWithin(connection, others, notable(completed, marked.accepted()));
            Set<Lease> accepted = new HashSet<>(marked.accepted());
            accepted.addAll(settled.accepted());
            Set<Lease> locked = new HashSet<>(marked.locked());
            locked.addAll(settled.locked());
            return new Settled(accepted, locked);
        });
    }

    /** See {@link dev.pawl.internal.store.JobStore#sweep}. */
    public void sweep() throws SQLException {
        int swept = database.autocommit(markedJobs::any) ? SWEEP : 0;
        while (swept == SWEEP && !Thread.currentThread().isInterrupted()) {
            swept = database.transaction(connection -> markedJobs.sweep(connection, SWEEP));
        }
    }

    /** See {@link dev.pawl.internal.store.ClaimStrategy#renew}. */
    public Renewal renew(Collection<LeaseRenewal> renewals, Duration length) throws SQLException {
        // The limit leaves time for another renewal before the leases expire, in case this connection is dead.
        Duration quarter = length.dividedBy(4);
        Duration limit = quarter.compareTo(SHORTEST_LIMIT) < 0 ? SHORTEST_LIMIT : quarter;
        return database.limited(limit).transaction(connection -> leases.renew(connection, renewals, length));
    }

    /** See {@link dev.pawl.internal.store.JobStore#runRequests}. */
    public RunRequests runRequests(Collection<Lease> running) throws SQLException {
        return database.autocommit(connection -> leases.runRequests(connection, running));
    }

    /** See {@link dev.pawl.internal.store.JobStore#isCancelRequested}. */
    public boolean isCancelRequested(Connection connection, Lease lease) throws SQLException {
        return !leases.cancelRequested(connection, Set.of(lease)).isEmpty();
    }

    /** See {@link dev.pawl.internal.store.ClaimStrategy#release}. */
    public Set<Lease> release(Collection<Lease> unstarted) throws SQLException {
        return database.transaction(connection -> leases.release(connection, unstarted));
    }

    /** See {@link dev.pawl.internal.store.JobStore#lock}. */
    public boolean lock(Connection connection, Lease lease) throws SQLException {
        return leases.lock(connection, lease);
    }

    /** {@return the leases that are not lost, after the rows of their jobs were locked} */
    public Set<Lease> lock(Connection connection, Collection<Lease> held) throws SQLException {
        return leases.lock(connection, held);
    }

    /** Completes jobs within a transaction of the caller, which has locked them. */
    public Set<Lease> completeWithin(Connection connection, List<Settlement> completed) throws SQLException {
        return settle.settle(connection, completed, FencedRow.Which.ALL).accepted();
    }

    /** See {@link dev.pawl.internal.store.JobStore#complete}. */
    public boolean complete(Connection connection, Settlement completed) throws SQLException {
        if (!completeAll.completeOwn(connection, completed.lease())) {
            return false;
        }
        completed(connection, completed);
        return true;
    }

    /** See {@link dev.pawl.internal.store.JobStore#completed}. */
    public void completed(Connection connection, Settlement completed) throws SQLException {
        if (!FinishedJob.isPlain(completed)) { // nearly all jobs are plain, and this is called for each job
            completionHook.afterCompletion(connection, List.of(FinishedJob.completed(completed)));
        }
    }

    /** See {@link dev.pawl.internal.store.JobStore#isAnyLeaseOver}. */
    public boolean isAnyLeaseOver() throws SQLException {
        return database.autocommit(abandonedJobs::exist);
    }

    /** See {@link dev.pawl.internal.store.JobStore#abandoned}. */
    public List<AbandonedJob> abandoned(int limit, int passBy) throws SQLException {
        return database.autocommit(connection -> abandonedJobs.find(connection, limit, passBy));
    }

    /** See {@link dev.pawl.internal.store.JobStore#rescue}. */
    public Set<Lease> rescue(List<Rescue> runs) throws SQLException {
        try {
            return database.transaction(connection -> settle.rescue(connection, runs));
        } catch (HookBusy busy) {
            return runs.size() == 1 ? Set.of() : rescueOneByOne(runs);
        }
    }

    /** Rescues runs separately. A later call rescues the jobs of a batch that is being sealed now, so other jobs do not wait. */
    private Set<Lease> rescueOneByOne(List<Rescue> runs) throws SQLException {
        Set<Lease> rescued = new HashSet<>();
        for (Rescue run : runs) {
            rescued.addAll(rescue(List.of(run)));
        }
        return rescued;
    }
}
