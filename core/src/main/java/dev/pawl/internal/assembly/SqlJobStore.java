package dev.pawl.internal.assembly;

import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import dev.pawl.api.Retention;
import dev.pawl.api.SchemaException;
import dev.pawl.api.Strategy;
import dev.pawl.internal.admin.BatchChanges;
import dev.pawl.internal.batch.BatchCompletion;
import dev.pawl.internal.batch.BatchCounts;
import dev.pawl.internal.batch.BatchFilter;
import dev.pawl.internal.batch.BatchMoments;
import dev.pawl.internal.batch.NewWorkflows;
import dev.pawl.internal.batch.SqlBatches;
import dev.pawl.internal.batch.SqlWorkflows;
import dev.pawl.internal.claim.LockingClaim;
import dev.pawl.internal.claim.MarkingStrategy;
import dev.pawl.internal.claim.OptimisticClaim;
import dev.pawl.internal.claim.RowStrategy;
import dev.pawl.internal.claim.TransactionalStrategy;
import dev.pawl.internal.cluster.SqlSettings;
import dev.pawl.internal.database.DatabaseParts;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.enqueue.Enqueue;
import dev.pawl.internal.feature.Decision;
import dev.pawl.internal.feature.DutyContext;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.Features;
import dev.pawl.internal.feature.LinkedRows;
import dev.pawl.internal.feature.Notice;
import dev.pawl.internal.feature.Transition;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.jdbc.Retry;
import dev.pawl.internal.lane.LaneStore;
import dev.pawl.internal.lane.LaneStrategy;
import dev.pawl.internal.remote.Assignments;
import dev.pawl.internal.retention.JobLines;
import dev.pawl.internal.settle.CompletionHook;
import dev.pawl.internal.settle.CompletionHooks;
import dev.pawl.internal.settle.InterruptionCount;
import dev.pawl.internal.settle.KeptStates;
import dev.pawl.internal.settle.RowVerbs;
import dev.pawl.internal.settle.RunSavepoint;
import dev.pawl.internal.settle.RunStacks;
import dev.pawl.internal.step.SqlSteps;
import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.Claim;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.ClaimToken;
import dev.pawl.internal.store.Duty;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LogLine;
import dev.pawl.internal.store.Rescue;
import dev.pawl.internal.store.RunRequests;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.StepStore;
import dev.pawl.internal.store.StrategyChoice;
import dev.pawl.internal.store.TransactionMark;
import dev.pawl.internal.store.WorkerContext;
import dev.pawl.internal.store.WorkerFeatures;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The operations of the main path in SQL. Databases differ in their {@link Dialect} and {@link DatabaseParts}. */
public final class SqlJobStore implements JobStore {
    /**
     * How long a statement may wait for the server: far longer than any claim, settlement or renewal takes, unless the
     * server hangs or the network is cut.
     */
    public static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Database unlimited;
    private final Database database;
    private final DatabaseParts parts;
    private final Enqueue enqueue;
    private final RowVerbs verbs;
    private final SqlSettings settings;
    private final Assignments assignments;
    private final RunStacks stacks;
    private final SqlSteps steps;
    private final LaneStore lanes;
    private final KeptStates kept;
    private final CompletionHook completionHook;
    private final BatchCounts counts;
    private final SqlBatches batches;
    private final NewWorkflows newWorkflows;
    private final SqlWorkflows workflows;
    private final BatchChanges batchChanges;
    private final JobLines lines;
    private final List<Feature> features;
    private final Notice notice;

    /**
     * Creates a store that sends no notifications.
     *
     * @param product behind the pool
     * @param database the pool
     * @param retention which finished jobs are kept at all
     */
    public SqlJobStore(DatabaseProduct product, Database database, Retention retention) {
        this(product, database, retention, (connection, queues) -> {});
    }

    /**
     * @param product behind the pool
     * @param database the pool
     * @param retention which finished jobs are kept at all
     * @param notice receives the queues of follow-up jobs
     */
    public SqlJobStore(DatabaseProduct product, Database database, Retention retention, Notice notice) {
        this(product, database, retention, notice, Map.of());
    }

    /**
     * @param product behind the pool
     * @param database the pool
     * @param retention which finished jobs are kept at all
     * @param notice receives the queues of follow-up jobs
     * @param maxWaiting how many jobs this program lets wait, by queue
     */
    public SqlJobStore(
            DatabaseProduct product,
            Database database,
            Retention retention,
            Notice notice,
            Map<String, Integer> maxWaiting) {
        ClaimToken.beginAtRandom();
        this.unlimited = database;
        this.database = database.limited(LONGEST_WAIT);
        Dialect dialect = database.dialect();
        this.parts = product.parts(this.database, retention);
        this.lanes = new LaneStore(this.database);
        this.kept = new KeptStates(dialect, retention);
        this.features = Features.installed();
        this.notice = notice;
        this.enqueue = new Enqueue(
                dialect, parts.insertJobs(), lanes.appendJobs(), lanes.bounds().min(maxWaiting), features);
        this.counts = new BatchCounts(
                dialect,
                (connection, jobs) -> {
                    List<EnqueueResult> unused = enqueue.enqueue(connection, jobs);
                    notice.send(
                            connection,
                            jobs.stream().map(job -> job.options().queue()).collect(Collectors.toSet()));
                },
                notice);
        this.completionHook = completionHook(features, dialect, kept, counts);
        this.batches = new SqlBatches(this.database, counts, notice);
        this.newWorkflows = new NewWorkflows(dialect, enqueue::enqueue);
        this.workflows = new SqlWorkflows(this.database, batches, notice);
        this.batchChanges =
                BatchChanges.of(this.database, workflows, kept, completionHook, new LinkedRows(dialect, features));
        this.verbs = new RowVerbs(this.database, parts.completeAll(), retention, completionHook);
        this.settings = new SqlSettings(dialect, features);
        this.assignments = new Assignments(dialect);
        this.stacks = new RunStacks(dialect);
        this.steps = new SqlSteps(this.database);
        this.lines = new JobLines(this.database);
    }

    /**
     * The hook that counts batches comes last, because other transactions lock the same rows. The other hooks write only rows of the
     * finished jobs.
     */
    private static CompletionHook completionHook(
            List<Feature> features, Dialect dialect, KeptStates kept, BatchCounts counts) {
        List<CompletionHook> hooks = new ArrayList<>();
        for (Feature feature : features) {
            if (feature.on(Transition.COMPLETE).by() == Decision.By.HOOK) {
                feature.completionHook(dialect, kept).ifPresent(hooks::add);
            }
        }
        hooks.add(new BatchCompletion(counts));
        return new CompletionHooks(List.copyOf(hooks));
    }

    @Override
    public void admit(Connection connection, List<JobRequest> jobs, boolean joins) throws SQLException {
        enqueue.admit(connection, jobs, joins);
    }

    @Override
    public boolean isOneStatement(JobRequest job) {
        return enqueue.isOneStatement(job);
    }

    @Override
    public List<EnqueueResult> enqueue(Connection connection, List<JobRequest> jobs) throws SQLException {
        return enqueue.enqueue(connection, jobs);
    }

    /** {@return the writes that follow from finished jobs} */
    public CompletionHook completionHook() {
        return completionHook;
    }

    /** {@return the store of batches} */
    public SqlBatches batches() {
        return batches;
    }

    /** {@return the writer of workflows} */
    public NewWorkflows newWorkflows() {
        return newWorkflows;
    }

    /** {@return the store of workflows} */
    public SqlWorkflows workflows() {
        return workflows;
    }

    @Override
    public StrategyChoice choice() {
        return parts.choice();
    }

    @Override
    public ClaimStrategy strategy(Strategy strategy) {
        return lanes.strategy(strategy, this::rows, new LaneStrategy.Settling(verbs, kept, completionHook));
    }

    private ClaimStrategy rows(Strategy strategy) {
        if (strategy instanceof Strategy.Transactional) {
            return new TransactionalStrategy(claim(parts.choice().strategy()), verbs, Retry.CONTENTION.tries());
        }
        if (strategy instanceof Strategy.Pessimistic pessimistic) {
            Claim claim = claim(strategy);
            int tries = pessimistic.deleteRetry() + 1;
            return pessimistic.deleteMark()
                    ? new MarkingStrategy(claim, verbs, tries)
                    : new RowStrategy(claim, verbs, tries);
        }
        return new RowStrategy(claim(strategy), verbs, Retry.CONTENTION.tries());
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
                    + database.dialect().server()
                    + ": leave the choice to Pawl (Strategy.AUTO, or Strategy.ROWS), which takes "
                    + parts.choice().strategy() + " here");
        }
        return own;
    }

    @Override
    public Settings settings() throws SQLException {
        Settings read = database.autocommit(settings::read);
        read.stopped().forEach(counts.stopped()::suspect); // another process may have stopped them
        return read;
    }

    @Override
    public <T> T inTransaction(InTransaction<T> work) throws SQLException {
        return unlimited.once(work::run); // handlers have no time limit
    }

    @Override
    public <T> T inShortTransaction(InTransaction<T> work) throws SQLException {
        return database.transaction(1, work::run);
    }

    @Override
    public void requireNoTransaction() {
        database.requireNoneAround();
    }

    @Override
    public TransactionMark mark(Connection connection) throws SQLException {
        return RunSavepoint.set(connection, database.dialect());
    }

    @Override
    public boolean lock(Connection connection, Lease lease) throws SQLException {
        return verbs.lock(connection, lease);
    }

    @Override
    public boolean complete(Connection connection, Settlement completed) throws SQLException {
        return verbs.complete(connection, completed);
    }

    @Override
    public void completed(Connection connection, Settlement completed) throws SQLException {
        verbs.completed(connection, completed);
    }

    @Override
    public Set<Lease> lock(Connection connection, Collection<Lease> leases) throws SQLException {
        return verbs.lock(connection, leases);
    }

    @Override
    public Set<Lease> complete(Connection connection, List<Settlement> completed) throws SQLException {
        return verbs.completeWithin(connection, completed);
    }

    @Override
    public boolean isCancelRequested(Connection connection, Lease lease) throws SQLException {
        return verbs.isCancelRequested(connection, lease);
    }

    @Override
    public boolean settle(Connection connection, Settlement run) throws SQLException {
        return verbs.settleWithin(connection, List.of(run)).accepted().contains(run.lease());
    }

    @Override
    public boolean isAnyLeaseOver() throws SQLException {
        return verbs.isAnyLeaseOver();
    }

    @Override
    public List<AbandonedJob> abandoned(int limit, int passBy) throws SQLException {
        if (passBy == 0) {
            lanes.openExpired();
        }
        return verbs.abandoned(limit, passBy);
    }

    @Override
    public Set<Lease> rescue(List<Rescue> runs) throws SQLException {
        Set<Lease> rescued = verbs.rescue(runs);
        if (!rescued.isEmpty()) {
            counts.expectPendingActions();
        }
        return rescued;
    }

    @Override
    public Optional<String> waitingPayload(Connection connection, long jobId) throws SQLException {
        return enqueue.waitingPayload(connection, jobId);
    }

    @Override
    public RunRequests runRequests(Collection<Lease> running) throws SQLException {
        return verbs.runRequests(running);
    }

    @Override
    public void reportStackTrace(Lease lease, String stack) throws SQLException {
        int unused = database.transaction(connection -> stacks.report(connection, lease, stack));
    }

    /**
     * Creates what features add to a worker, including what needs parts of this store.
     *
     * @param worker the worker
     * @return new duties and filters
     */
    public WorkerFeatures.Additions additions(WorkerContext worker) {
        List<Duty> all = new ArrayList<>();
        BatchFilter filter = new BatchFilter(database, batches.pauses(), counts.stopped());
        all.add(new Duty("release jobs of resumed batches", SECOND, Duty.WhileSuspended.HOLDS_NOTHING, filter));
        all.add(new Duty(
                "release or cancel jobs of batches",
                SECOND,
                Duty.WhileSuspended.wakesFor(BatchMoments.PENDING_ACTIONS),
                new BatchActions(counts, batchChanges)));
        all.add(new Duty("delete log lines of jobs that are gone", SECOND, Duty.WhileSuspended.MAY_WAIT, lines::tidy));
        DutyContext context = new DutyContext(database, notice, worker);
        features.forEach(feature -> all.addAll(feature.duties(context)));
        return new WorkerFeatures.Additions(all, List.of(filter));
    }

    @Override
    public void sweep() throws SQLException {
        List<Part> all = List.of(verbs::sweep, lanes::findLate);
        SQLException first = null;
        for (Part part : all) { // a failure must not keep the other parts from running
            try {
                part.run();
            } catch (SQLException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
                if (Fault.of(e).isOutage()) {
                    break;
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private interface Part {
        void run() throws SQLException;
    }

    @Override
    public boolean assign(Lease lease, String worker) throws SQLException {
        return database.transaction(connection -> assignments.assign(connection, lease, worker));
    }

    @Override
    public void log(List<LogLine> written) throws SQLException {
        lines.write(written);
    }

    @Override
    public Map<Long, Integer> interruptions(Collection<Long> jobIds) throws SQLException {
        return database.autocommit(connection -> InterruptionCount.of(connection, database.dialect(), jobIds));
    }

    @Override
    public StepStore steps() {
        return steps;
    }

    @Override
    public boolean isTransient(SQLException error) {
        return Fault.of(error).isTransient();
    }

    @Override
    public boolean isOutage(SQLException error) {
        return Fault.of(error).isOutage();
    }

    @Override
    public String where() {
        return database.where();
    }

    @Override
    public boolean isContention(SQLException error) {
        return Fault.of(error).isContention();
    }

    @Override
    public boolean isSerializationFailure(SQLException error) {
        return Fault.of(error) == Fault.SERIALIZATION;
    }

    @Override
    public boolean isRefusal(SQLException error) {
        return Fault.of(error).isRefusal();
    }
}
