package dev.pawl.internal.store.sql;

import dev.pawl.EnqueueResult;
import dev.pawl.JobRequest;
import dev.pawl.Retention;
import dev.pawl.SchemaException;
import dev.pawl.Strategy;
import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.Claim;
import dev.pawl.internal.store.FinishedRun;
import dev.pawl.internal.store.Held;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LogLine;
import dev.pawl.internal.store.Renewal;
import dev.pawl.internal.store.StrategyChoice;
import dev.pawl.internal.store.Verdict;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The verbs over SQL. What differs between databases comes in as the dialect and three small parts. */
public final class SqlJobStore implements JobStore {
    private final Database database;
    private final Parts parts;
    private final CompleteAll completeAll;
    private final Enqueue enqueue;
    private final Finish finish;
    private final Leases leases;
    private final Marked marked;
    private final Queues queues;
    private final Assignments assignments;
    private final String log;

    /**
     * @param database the pool and the dialect
     * @param parts what the database does its own way
     * @param retention which finished jobs are kept at all
     */
    public SqlJobStore(Database database, Parts parts, Retention retention) {
        this.database = database;
        Dialect dialect = database.dialect();
        this.parts = parts;
        this.enqueue = new Enqueue(dialect, parts.insertJobs());
        this.finish = new Finish(dialect, retention);
        this.leases = new Leases(dialect);
        this.marked = new Marked(dialect, !retention.completed().isZero());
        this.queues = new Queues(dialect);
        this.assignments = new Assignments(dialect);
        this.completeAll = parts.completeAll() != null ? parts.completeAll() : this::completeAllPlainly;
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
    public Claim claim(Strategy strategy) {
        if (strategy instanceof Strategy.Auto || strategy instanceof Strategy.Transactional) {
            return claim(parts.choice().strategy()); // transactional differs only after the claim
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
                    + " " + database.dialect().version() + ": leave the choice to Pawl (Strategy.AUTO), which takes "
                    + parts.choice().strategy() + " here");
        }
        return own;
    }

    @Override
    public Set<Lease> finish(List<FinishedRun> runs, int tries) throws SQLException {
        if (runs.stream().allMatch(run -> run.verdict() instanceof Verdict.Completed)) {
            List<Lease> completed =
                    runs.stream().map(FinishedRun::lease).sorted().toList();
            return database.transaction(tries, connection -> completeAll.completeAll(connection, completed));
        }
        return database.transaction(tries, connection -> finish.finish(connection, runs, RunningRow.Which.ALL));
    }

    private Set<Lease> completeAllPlainly(Connection connection, List<Lease> completed) throws SQLException {
        List<FinishedRun> runs = completed.stream()
                .map(lease -> new FinishedRun(lease, new Verdict.Completed()))
                .toList();
        return finish.finish(connection, runs, RunningRow.Which.ALL);
    }

    @Override
    public Set<Lease> mark(Collection<Lease> completed, int tries) throws SQLException {
        return database.transaction(tries, connection -> marked.mark(connection, completed));
    }

    @Override
    public int sweep(int limit) throws SQLException {
        boolean any = database.autocommit(marked::any);
        return any ? database.transaction(connection -> marked.sweep(connection, limit)) : 0;
    }

    @Override
    public Map<String, String> strategies() throws SQLException {
        return database.autocommit(queues::strategies);
    }

    @Override
    public boolean lock(Connection connection, Lease lease) throws SQLException {
        return leases.lock(connection, lease);
    }

    @Override
    public boolean complete(Connection connection, Lease lease) throws SQLException {
        return completeAll.completeAll(connection, List.of(lease)).size() == 1;
    }

    @Override
    public Renewal renew(Collection<Held> held, Duration lease) throws SQLException {
        return database.transaction(connection -> leases.renew(connection, held, lease));
    }

    @Override
    public int release(Collection<Lease> given) throws SQLException {
        return database.transaction(connection -> leases.release(connection, given));
    }

    @Override
    public List<AbandonedJob> abandoned(int limit) throws SQLException {
        return database.autocommit(connection -> leases.abandoned(connection, limit));
    }

    @Override
    public Set<Lease> rescue(List<FinishedRun> runs) throws SQLException {
        return database.transaction(connection -> finish.finish(connection, runs, RunningRow.Which.EXPIRED));
    }

    @Override
    public boolean assign(Lease lease, String worker) throws SQLException {
        return database.transaction(connection -> assignments.assign(connection, lease, worker));
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
}
