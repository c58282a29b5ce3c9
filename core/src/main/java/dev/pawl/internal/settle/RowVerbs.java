package dev.pawl.internal.settle;

import dev.pawl.Retention;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LeaseRenewal;
import dev.pawl.internal.store.Renewal;
import dev.pawl.internal.store.Rescue;
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

/** The fenced verbs over jobs that each have a row of their own; each verb is a transaction. Thread-safe. */
public final class RowVerbs {
    private static final int SWEEP = 1000;
    private static final Duration SHORTEST_LIMIT = Duration.ofMillis(500);

    private final Database database;
    private final Settle settle;
    private final CompleteAll completeAll;
    private final Leases leases;
    private final AbandonedJobs abandonedJobs;
    private final MarkedJobs markedJobs;

    /**
     * @param database the pool and the dialect
     * @param own the database's faster way to complete; null for the plain one
     * @param retention which finished jobs are kept at all
     */
    public RowVerbs(Database database, @Nullable CompleteAll own, Retention retention) {
        Dialect dialect = database.dialect();
        this.database = database;
        KeptStates kept = new KeptStates(dialect, retention);
        this.settle = new Settle(dialect, kept);
        this.completeAll = own != null ? own : new PlainCompletion(settle);
        this.leases = new Leases(dialect);
        this.abandonedJobs = new AbandonedJobs(dialect);
        this.markedJobs = new MarkedJobs(dialect, kept);
    }

    /** See {@link dev.pawl.internal.store.ClaimStrategy#settle}. */
    public Settled settle(List<Settlement> runs, int tries) throws SQLException {
        if (runs.stream().allMatch(run -> run.verdict() instanceof Verdict.Completed)) {
            List<Lease> completed =
                    runs.stream().map(Settlement::lease).sorted().toList();
            return database.transaction(tries, connection -> completeAll.completeAll(connection, completed));
        }
        return database.transaction(tries, connection -> settled(connection, runs));
    }

    /** The same within a transaction of the caller, which tries again after contention. */
    public Settled settleWithin(Connection connection, List<Settlement> runs) throws SQLException {
        return settled(connection, runs);
    }

    private Settled settled(Connection connection, List<Settlement> runs) throws SQLException {
        return settle.settle(connection, runs, FencedRow.Which.UNLOCKED);
    }

    /**
     * Marks completed jobs, with one row lock for each and no other; {@link #sweep} does the rest. Settles the other runs
     * in the same transaction.
     */
    public Settled mark(List<Settlement> runs, int tries) throws SQLException {
        List<Lease> completed = new ArrayList<>();
        List<Settlement> others = new ArrayList<>();
        for (Settlement run : runs) {
            if (run.verdict() instanceof Verdict.Completed) {
                completed.add(run.lease());
            } else {
                others.add(run);
            }
        }
        return database.transaction(tries, connection -> {
            Settled marked = markedJobs.mark(connection, completed);
            Set<Lease> accepted = new HashSet<>(marked.accepted());
            Set<Lease> busy = new HashSet<>(marked.busy());
            if (!others.isEmpty()) {
                Settled settled = settled(connection, others);
                accepted.addAll(settled.accepted());
                busy.addAll(settled.busy());
            }
            return new Settled(accepted, busy);
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
        // One connection that has died silently must not cost all leases.
        Duration quarter = length.dividedBy(4);
        Duration limit = quarter.compareTo(SHORTEST_LIMIT) < 0 ? SHORTEST_LIMIT : quarter;
        return database.limited(limit).transaction(connection -> leases.renew(connection, renewals, length));
    }

    /** See {@link dev.pawl.internal.store.JobStore#cancelRequested}. */
    public Set<Lease> cancelRequested(Collection<Lease> running) throws SQLException {
        return database.autocommit(connection -> leases.cancelRequested(connection, running));
    }

    /** See {@link dev.pawl.internal.store.ClaimStrategy#release}. */
    public int release(Collection<Lease> unstarted) throws SQLException {
        return database.transaction(connection -> leases.release(connection, unstarted));
    }

    /** See {@link dev.pawl.internal.store.JobStore#lock}. */
    public boolean lock(Connection connection, Lease lease) throws SQLException {
        return leases.lock(connection, lease);
    }

    /** See {@link dev.pawl.internal.store.JobStore#complete}. */
    public boolean complete(Connection connection, Lease lease) throws SQLException {
        return completeAll.completeOwn(connection, lease);
    }

    /** See {@link dev.pawl.internal.store.JobStore#abandoned}. */
    public List<AbandonedJob> abandoned(int limit, int passBy) throws SQLException {
        return database.autocommit(connection -> abandonedJobs.find(connection, limit, passBy));
    }

    /** See {@link dev.pawl.internal.store.JobStore#rescue}. */
    public Set<Lease> rescue(List<Rescue> runs) throws SQLException {
        return database.transaction(connection -> settle.rescue(connection, runs));
    }
}
