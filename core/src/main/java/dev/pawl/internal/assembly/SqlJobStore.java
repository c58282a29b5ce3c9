package dev.pawl.internal.assembly;

import dev.pawl.EnqueueResult;
import dev.pawl.JobRequest;
import dev.pawl.Retention;
import dev.pawl.SchemaException;
import dev.pawl.Strategy;
import dev.pawl.internal.admin.Queues;
import dev.pawl.internal.claim.LockingClaim;
import dev.pawl.internal.claim.MarkingStrategy;
import dev.pawl.internal.claim.OptimisticClaim;
import dev.pawl.internal.claim.RowStrategy;
import dev.pawl.internal.claim.TransactionalStrategy;
import dev.pawl.internal.database.DatabaseParts;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.enqueue.Enqueue;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.lane.DrainedLanes;
import dev.pawl.internal.lane.ExpiredRanges;
import dev.pawl.internal.lane.LaneStrategy;
import dev.pawl.internal.lane.Lanes;
import dev.pawl.internal.lane.LateJobs;
import dev.pawl.internal.settle.KeptStates;
import dev.pawl.internal.settle.RowVerbs;
import dev.pawl.internal.settle.RunNotes;
import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.Claim;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LogLine;
import dev.pawl.internal.store.Rescue;
import dev.pawl.internal.store.StrategyChoice;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The verbs over SQL. What differs between databases comes in as the dialect and three small parts. */
public final class SqlJobStore implements JobStore {
    /** No claim, settlement or renewal takes nearly this long, unless the server hangs or the network is cut. */
    public static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private final Database unlimited;
    private final Database database;
    private final DatabaseParts parts;
    private final Enqueue enqueue;
    private final RowVerbs verbs;
    private final Queues queues;
    private final RunNotes notes;
    private final Lanes lanes;
    private final ExpiredRanges expiredRanges;
    private final LateJobs lateJobs;
    private final KeptStates kept;
    private final String log;

    /**
     * @param product behind the pool
     * @param database the pool
     * @param retention which finished jobs are kept at all
     */
    public SqlJobStore(DatabaseProduct product, Database database, Retention retention) {
        this.unlimited = database;
        this.database = database.limited(LONGEST_WAIT);
        Dialect dialect = database.dialect();
        this.parts = product.parts(this.database, retention);
        this.lanes = new Lanes(dialect);
        this.expiredRanges = new ExpiredRanges(this.database);
        this.lateJobs = new LateJobs(this.database, lanes);
        this.kept = new KeptStates(dialect, retention);
        this.enqueue = new Enqueue(dialect, parts.insertJobs(), lanes);
        this.verbs = new RowVerbs(this.database, parts.completeAll(), retention);
        this.queues = new Queues(dialect);
        this.notes = new RunNotes(dialect);
        log = dialect.sql("INSERT INTO pawl_job_log (job_id, attempt, logged_at, line) VALUES (?, ?, "
                + dialect.nowPlusMicros() + ", ?)");
    }

    @Override
    public List<EnqueueResult> enqueue(Connection connection, List<JobRequest> jobs) throws SQLException {
        return enqueue.enqueue(connection, jobs);
    }

    @Override
    public StrategyChoice choice() {
        return parts.choice();
    }

    @Override
    public ClaimStrategy strategy(Strategy strategy) {
        if (strategy instanceof Strategy.Lanes || strategy instanceof Strategy.Auto) {
            return new LaneStrategy(
                    database, lanes, rows(parts.choice().strategy()), verbs, parts.ownLaneClaim(), lateJobs, kept);
        }
        return new DrainedLanes(database, lanes, rows(strategy), lateJobs);
    }

    private ClaimStrategy rows(Strategy strategy) {
        if (strategy instanceof Strategy.Transactional) {
            return new TransactionalStrategy(claim(parts.choice().strategy()), verbs, Database.USUAL_TRIES);
        }
        if (strategy instanceof Strategy.Pessimistic pessimistic) {
            Claim claim = claim(strategy);
            int tries = pessimistic.deleteRetry() + 1;
            return pessimistic.deleteMark()
                    ? new MarkingStrategy(claim, verbs, tries)
                    : new RowStrategy(claim, verbs, tries);
        }
        return new RowStrategy(claim(strategy), verbs, Database.USUAL_TRIES);
    }

    private Claim claim(Strategy strategy) {
        if (strategy instanceof Strategy.Rows) {
            return claim(parts.choice().strategy());
        }
        if (strategy instanceof Strategy.Optimistic optimistic) {
            return new OptimisticClaim(database, optimistic);
        }
        if (strategy instanceof Strategy.Pessimistic) {
            return LockingClaim.waiting(database);
        }
        Claim own = parts.ownClaim();
        if (own == null || !strategy.equals(parts.choice().strategy())) {
            throw new SchemaException("the strategy " + strategy + " does not work on "
                    + database.dialect().product()
                    + " " + database.dialect().version()
                    + ": leave the choice to Pawl (Strategy.AUTO, or Strategy.ROWS), which takes "
                    + parts.choice().strategy() + " here");
        }
        return own;
    }

    @Override
    public Settings settings() throws SQLException {
        return database.autocommit(queues::settingsAndNextTick);
    }

    @Override
    public <T> T inTransaction(InTransaction<T> work) throws SQLException {
        return unlimited.once(work::on); // handlers may take as long as they like
    }

    @Override
    public boolean lock(Connection connection, Lease lease) throws SQLException {
        return verbs.lock(connection, lease);
    }

    @Override
    public boolean complete(Connection connection, Lease lease) throws SQLException {
        return verbs.complete(connection, lease);
    }

    @Override
    public List<AbandonedJob> abandoned(int limit, int passBy) throws SQLException {
        if (passBy == 0) {
            expiredRanges.open();
        }
        return verbs.abandoned(limit, passBy);
    }

    @Override
    public Set<Lease> rescue(List<Rescue> runs) throws SQLException {
        return verbs.rescue(runs);
    }

    @Override
    public Optional<String> waitingPayload(Connection connection, long jobId) throws SQLException {
        return enqueue.waitingPayload(connection, jobId);
    }

    @Override
    public Set<Lease> cancelRequested(Collection<Lease> running) throws SQLException {
        return verbs.cancelRequested(running);
    }

    @Override
    public void sweep() throws SQLException {
        verbs.sweep();
        int unused = lateJobs.find();
    }

    @Override
    public boolean assign(Lease lease, String worker) throws SQLException {
        return database.transaction(connection -> notes.assign(connection, lease, worker));
    }

    @Override
    public void log(List<LogLine> lines) throws SQLException {
        database.transaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(log)) {
                for (LogLine line : lines) {
                    statement.setLong(1, line.jobId());
                    statement.setInt(2, line.attempt());
                    statement.setLong(3, -Micros.of(line.age()));
                    statement.setString(4, line.line());
                    statement.addBatch();
                }
                return statement.executeBatch();
            }
        });
    }

    @Override
    public boolean isTransient(SQLException error) {
        return Fault.of(error).isTransient();
    }

    @Override
    public boolean isRefusal(SQLException error) {
        return Fault.of(error).isRefusal();
    }
}
