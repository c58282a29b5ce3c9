package dev.pawl.testkit.conformance;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.EnqueueOptions;
import dev.pawl.EnqueueResult;
import dev.pawl.Job;
import dev.pawl.JobAdmin;
import dev.pawl.JobQueue;
import dev.pawl.JobRequest;
import dev.pawl.JobType;
import dev.pawl.Retention;
import dev.pawl.Strategy;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimedJob;
import dev.pawl.internal.store.FinishedRun;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Stores;
import dev.pawl.internal.store.Verdict;
import dev.pawl.internal.store.sql.Database;
import dev.pawl.internal.store.sql.SqlJobStore;
import dev.pawl.internal.store.sql.WorkerRegistry;
import dev.pawl.testkit.server.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A queue with tables of its own in a shared database, and short words for what tests do with it. */
final class Fixture implements AutoCloseable {
    static final JobType<String> GREET = JobType.of("greet", String.class);
    static final Duration LEASE = Duration.ofSeconds(30);
    private static final AtomicInteger PREFIXES = new AtomicInteger();

    final TestDatabase testDatabase;
    final Strategy strategy;
    final String prefix = "t" + PREFIXES.incrementAndGet() + "_pawl_";
    final HikariDataSource pool;
    final JobQueue queue;
    final JobAdmin admin;
    final Database database;
    final SqlJobStore store;
    final long worker;

    Fixture(TestDatabase testDatabase, Strategy strategy) throws SQLException {
        this(testDatabase, strategy, 12, Retention.DEFAULTS);
    }

    Fixture(TestDatabase testDatabase, int poolSize, Retention retention) throws SQLException {
        this(testDatabase, Strategy.AUTO, poolSize, retention);
    }

    Fixture(TestDatabase testDatabase, Strategy strategy, int poolSize, Retention retention) throws SQLException {
        this.testDatabase = testDatabase;
        this.strategy = strategy;
        pool = testDatabase.newDataSource(poolSize);
        queue = JobQueue.builder(pool).tablePrefix(prefix).retention(retention).open();
        admin = queue.admin();
        database = new Database(pool, Stores.dialect(pool, prefix));
        store = Stores.store(database, retention);
        worker = new WorkerRegistry(database).register("test", List.of("default"), 1);
    }

    long enqueue(EnqueueOptions options) {
        EnqueueResult result = queue.enqueue(new JobRequest("greet", "\"hello\"", options));
        return result.jobId();
    }

    long enqueue() {
        return enqueue(EnqueueOptions.DEFAULTS);
    }

    List<ClaimedJob> claim(int limit) throws SQLException {
        return claim(Strategy.AUTO, limit, LEASE);
    }

    List<ClaimedJob> claim(Strategy strategy, int limit, Duration lease) throws SQLException {
        return store.claim(strategy).claim(new ClaimRequest("default", List.of("greet"), limit, worker, lease));
    }

    ClaimedJob claimOne() throws SQLException {
        return claimOne(LEASE);
    }

    ClaimedJob claimOne(Duration lease) throws SQLException {
        List<ClaimedJob> claimed = claim(Strategy.AUTO, 1, lease);
        if (claimed.size() != 1) {
            throw new AssertionError("expected one job, claimed " + claimed);
        }
        return claimed.get(0);
    }

    boolean finish(Lease lease, Verdict verdict) throws SQLException {
        return store.finish(List.of(new FinishedRun(lease, verdict))).contains(lease);
    }

    Job job(long id) {
        return admin.find(id).orElseThrow();
    }

    /** A claimed job whose lease is no longer valid: it was put back and claimed anew. */
    Lease staleLease() throws SQLException {
        enqueue();
        Lease stale = claimOne().lease();
        finish(stale, new Verdict.Retry(Duration.ZERO, "first"));
        claimOne();
        return stale;
    }

    /** Waits until the database's clock says that all leases of this length are over. */
    void letLeasesExpire(Duration lease) throws SQLException {
        long before = databaseMicros();
        while (databaseMicros() - before <= lease.toNanos() / 1000 + 2000) {
            Thread.onSpinWait();
        }
    }

    private long databaseMicros() throws SQLException {
        String sql = switch (database.dialect().product()) {
            case "postgresql" -> "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)";
            case "mysql" -> "SELECT CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED)";
            default -> "SELECT " + database.dialect().now();
        };
        return longOf(sql);
    }

    long count(String table) throws SQLException {
        return longOf("SELECT COUNT(*) FROM " + table);
    }

    long longOf(String sql) throws SQLException {
        return database.autocommit(connection -> {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(database.dialect().sql(sql))) {
                row.next();
                return row.getLong(1);
            }
        });
    }

    void execute(String sql) throws SQLException {
        database.transaction(connection -> execute(connection, sql));
    }

    boolean execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.execute(database.dialect().sql(sql));
        }
    }

    DataSource dataSource() {
        return pool;
    }

    @Override
    public void close() {
        queue.close();
        pool.close();
    }
}
