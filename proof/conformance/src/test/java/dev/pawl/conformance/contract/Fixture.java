package dev.pawl.conformance.contract;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.admin.Admin;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Duty;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import dev.pawl.internal.store.WorkerContext;
import dev.pawl.servers.Capability;
import dev.pawl.servers.Delay;
import dev.pawl.servers.Product;
import dev.pawl.servers.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** A queue with its own tables in the database of a class, the strategy under test, and shorthands for both. */
final class Fixture implements AutoCloseable {
    static final JobType<String> GREET = JobType.of("greet", String.class);
    private static final long GAP_MILLIS = 100;
    static final Duration LEASE = Duration.ofSeconds(30);
    /** A live worker keeps this lease even on a busy machine, because it renews the lease when a quarter of its time has passed. */
    static final Duration SAFE_LEASE = Duration.ofSeconds(10);

    /**
     * Long enough for anything that still happens, but shorter than a lease, because a job that is lost and then rescued would seem to be
     * fine.
     */
    static final Duration SOON = Duration.ofSeconds(27);

    private static final Pattern CHANGES_SCHEMA =
            Pattern.compile("\\b(CREATE|ALTER|DROP|pawl_schema)\\b", Pattern.CASE_INSENSITIVE);

    final Product product;
    final TestDatabase testDatabase;
    final Strategy strategy;
    final String prefix;
    final HikariDataSource pool;
    final JobQueue queue;
    final Admin admin;
    final Database database;
    final SqlJobStore store;
    final long worker;
    final ExpectedStatements statements = new ExpectedStatements();
    private final Schemas schemas;
    private final Schemas.Schema schema;
    private final Map<Strategy, ClaimStrategy> strategies = new ConcurrentHashMap<>();
    private final AtomicInteger rows = new AtomicInteger();
    private volatile boolean schemaChanged;

    Fixture(Schemas schemas, Strategy strategy) throws SQLException {
        this(schemas, strategy, Schemas.CONNECTIONS, Retention.DEFAULTS);
    }

    private Fixture(Schemas schemas, Strategy strategy, int poolSize, Retention retention) throws SQLException {
        this.schemas = schemas;
        this.schema = schemas.take();
        this.product = schemas.product();
        this.testDatabase = schema.database();
        this.strategy = strategy;
        prefix = schema.prefix();
        pool = poolSize == Schemas.CONNECTIONS ? schema.pool() : schemas.newPool(testDatabase, poolSize);
        queue = JobQueue.builder(pool).tablePrefix(prefix).retention(retention).open();
        admin = queue.admin();
        DatabaseProduct own = Databases.of(pool, prefix);
        database = new Database(pool, own.dialect());
        store = new SqlJobStore(own, database, retention);
        if (strategy instanceof Strategy.Lanes
                || strategy instanceof Strategy.Auto) { // otherwise the first jobs, before any claim, would have rows
            execute("INSERT INTO pawl_lane (queue, priority, node) SELECT 'default', 0, "
                    + (schemas.areOnNodes() ? "@@auto_increment_offset" : "0"));
        }
        worker = new WorkerRegistry(database).register("test", List.of("default"), List.of(), 1, 1, Map.of());
    }

    /** {@return another queue with its own tables, which the test closes} */
    Fixture another(int poolSize, Retention retention) throws SQLException {
        return new Fixture(schemas, strategy, poolSize, retention);
    }

    /** Marks the tables as changed by the test, so that no other test gets them. */
    void schemaChanges() {
        schemaChanged = true;
    }

    /** Skips the test, with a reason, if the database lacks the capability. */
    void assumeCan(Capability capability) {
        assumeTrue(product.can(capability), () -> product + ": " + capability.without());
    }

    /** {@return a worker with the strategy under test, without handlers and not started} */
    WorkerBuilder newWorker() {
        return Worker.on(queue)
                .strategy(strategy)
                .pollInterval(Duration.ofMillis(100))
                .grace(Duration.ofSeconds(5));
    }

    /** Runs the sweep that a worker runs every second. */
    void sweepMarked() throws SQLException {
        store.sweep();
    }

    /** Runs the sweep, and the duties that features add to a worker, as a worker does after a suspension. */
    void runDuties() throws SQLException {
        runDuties(store);
    }

    static void runDuties(SqlJobStore store) throws SQLException {
        store.sweep();
        for (Duty duty : duties(store)) {
            duty.work().recheck();
            duty.work().run();
        }
    }

    static List<Duty> duties(SqlJobStore store) {
        return store.additions(new WorkerContext("test", Set.of("default"))).duties();
    }

    /** Skips the test on a cluster all nodes of which take writes. */
    void assumeOneServer(String reason) {
        assumeFalse(schemas.areOnNodes(), reason);
    }

    /**
     * Skips the test if a transaction is open around handlers, because that transaction locks the job's row, and on SQLite the whole file.
     */
    void assumeNoTransactionAroundHandlers() {
        assumeFalse(isTransactional(), "the transaction around the handler keeps everybody from the job's row");
    }

    void awaitState(long id, JobState state) {
        await().atMost(SOON).until(() -> job(id).state() == state);
    }

    long enqueue(EnqueueOptions options) {
        EnqueueResult result = queue.enqueue(new JobRequest("greet", "\"hello\"", options));
        return result.jobId();
    }

    long enqueue() {
        return enqueue(EnqueueOptions.DEFAULTS);
    }

    /** Enqueues a job that has a row under every strategy. */
    long enqueueRow() {
        return enqueue(EnqueueOptions.DEFAULTS.uniqueKey("row " + rows.incrementAndGet()));
    }

    List<Grant> claim(int limit) throws SQLException {
        return claim(limit, LEASE);
    }

    List<Grant> claim(int limit, Duration lease) throws SQLException {
        return claim(strategy, limit, lease);
    }

    List<Grant> claim(Strategy strategy, int limit, Duration lease) throws SQLException {
        return claim(strategy(strategy), new ClaimRequest("default", List.of("greet"), limit, worker, lease, false));
    }

    /** Claims jobs by this strategy. */
    List<Grant> claimBy(ClaimStrategy by, int limit) throws SQLException {
        return claim(by, request(limit));
    }

    /**
     * Claims again on a cluster if jobs are missing. A node does not claim jobs behind a gap of ids for a moment, because a job in the gap
     * may be committed late.
     */
    private List<Grant> claim(ClaimStrategy by, ClaimRequest request) throws SQLException {
        List<Grant> claimed = by.claim(request);
        if (!schemas.areOnNodes() || claimed.size() == request.limit()) {
            return claimed;
        }
        try {
            Delay.poll(GAP_MILLIS); // nothing signals it
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while waiting to claim", e);
        }
        List<Grant> all = new ArrayList<>(claimed);
        all.addAll(by.claim(request.withLimit(request.limit() - claimed.size())));
        return all;
    }

    ClaimRequest request(int limit) {
        return new ClaimRequest("default", List.of("greet"), limit, worker, LEASE, false);
    }

    /** {@return the same pool for tables with another prefix} */
    Database database(DatabaseProduct product) {
        return new Database(pool, product.dialect());
    }

    Grant claimOne() throws SQLException {
        return claimOne(LEASE);
    }

    Grant claimOne(Duration lease) throws SQLException {
        List<Grant> claimed = claim(1, lease);
        if (claimed.size() != 1) {
            throw new AssertionError("expected one job, claimed " + claimed);
        }
        return claimed.get(0);
    }

    /** Settles a run as a worker with the strategy under test does. */
    boolean finish(Lease lease, Verdict verdict) throws SQLException {
        return finish(List.of(new Settlement(lease, verdict))).contains(lease);
    }

    /** Settles runs with equal outcomes as a worker with the strategy under test does. */
    Set<Lease> finish(List<Settlement> runs) throws SQLException {
        boolean completed = runs.stream().allMatch(run -> run.verdict() instanceof Verdict.Completed);
        return completed && isTransactional()
                ? completeInTransactions(runs)
                : rows().settle(runs).accepted();
    }

    /** {@return the strategy under test} */
    ClaimStrategy rows() {
        return strategy(strategy);
    }

    /** {@return the strategy, created once for a test, as in a worker} */
    private ClaimStrategy strategy(Strategy of) {
        return strategies.computeIfAbsent(of, store::strategy);
    }

    /** Completes by marking, as the pessimistic strategy may. */
    Set<Lease> mark(Lease lease) throws SQLException {
        return store.strategy(new Strategy.Pessimistic(0, true))
                .settle(List.of(new Settlement(lease, new Verdict.Completed())))
                .accepted();
    }

    private Set<Lease> completeInTransactions(List<Settlement> runs) throws SQLException {
        Set<Lease> completed = new HashSet<>();
        for (Settlement run : runs) {
            Lease lease = run.lease();
            if (database.transaction(connection -> store.lock(connection, lease) && store.complete(connection, run))) {
                completed.add(lease);
            }
        }
        return completed;
    }

    boolean marks() {
        return strategy instanceof Strategy.Pessimistic pessimistic && pessimistic.deleteMark();
    }

    /** {@return whether no other connection can write during the transaction around a handler, not even one of the handler} */
    boolean holdsTheOnlyWriteLock() {
        return isTransactional() && product == Product.SQLITE;
    }

    boolean isTransactional() {
        return strategy instanceof Strategy.Transactional;
    }

    Job job(long id) {
        return admin.jobs().find(id).orElseThrow();
    }

    /** {@return a lease that is no longer valid, because its job was released and claimed again} */
    Lease staleLease() throws SQLException {
        enqueue();
        Lease stale = claimOne().lease();
        finish(stale, new Verdict.Retry(Duration.ZERO, "first"));
        claimOne();
        return stale;
    }

    /** Waits until all leases of this length have expired by the database's clock. */
    void letLeasesExpire(Duration lease) throws SQLException, InterruptedException {
        letPass(lease.plusMillis(2));
    }

    /** Waits until this much time has passed by the database's clock. */
    void letPass(Duration time) throws SQLException, InterruptedException {
        long end = longOf(product.clockMicros()) + time.toNanos() / 1000;
        for (long left = 1; left > 0; left = end - longOf(product.clockMicros())) {
            Delay.quiet(Math.max(1, left / 1000)); // the database's clock may differ from ours
        }
    }

    /** Waits until the database's clock has advanced, because SQLite's clock counts only milliseconds. */
    void letTheClockTick() throws SQLException {
        long now = longOf(product.clockMicros());
        await().until(() -> longOf(product.clockMicros()) > now);
    }

    /** {@return how many jobs are live, in lanes and rows} */
    long liveJobs() {
        return admin.queues().list(Admin.UNLIMITED).stream()
                .mapToLong(each -> each.available() + each.delayed() + each.retrying() + each.running())
                .sum();
    }

    long count(String table) throws SQLException {
        return longOf("SELECT COUNT(*) FROM " + table);
    }

    long longOf(String sql) throws SQLException {
        return longOf(sql, prefix);
    }

    /** As {@link #longOf(String)}, for tables with another prefix in the same schema. */
    long longOf(String sql, String prefix) throws SQLException {
        String named = prefix.equals(this.prefix)
                ? database.dialect().sql(sql)
                : Databases.of(pool, prefix).dialect().sql(sql);
        return database.autocommit(connection -> {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(named)) {
                row.next();
                return row.getLong(1);
            }
        });
    }

    /** Runs a statement with unprefixed table names. */
    void execute(String sql) throws SQLException {
        database.transaction(connection -> execute(connection, sql));
    }

    boolean execute(Connection connection, String sql) throws SQLException {
        if (CHANGES_SCHEMA.matcher(sql).find()) {
            schemaChanges();
        }
        try (Statement statement = connection.createStatement()) {
            return statement.execute(database.dialect().sql(sql));
        }
    }

    DataSource dataSource() {
        return pool;
    }

    /** {@return the pool, with an action before each statement that matches} A test fails if no statement does. */
    DataSource at(String regex, TamperedDataSource.Tampering action) {
        return TamperedDataSource.of(pool, statements.at(regex, action));
    }

    /** {@return a store over another pool} */
    SqlJobStore storeOver(DataSource source) throws SQLException {
        DatabaseProduct product = Databases.of(pool, prefix);
        return new SqlJobStore(product, new Database(source, product.dialect()), Retention.DEFAULTS);
    }

    @Override
    public void close() throws SQLException {
        queue.close();
        if (pool != schema.pool()) {
            pool.close();
        }
        if (schemaChanged) {
            schemas.forget(schema);
        } else {
            schemas.giveBack(schema);
        }
    }
}
