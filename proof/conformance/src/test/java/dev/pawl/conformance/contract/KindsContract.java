package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.conformance.RunsOn;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Claims of several kinds, among jobs of kinds that the worker does not know. */
@WhiteBox
interface KindsContract extends Contract {
    private long enqueue(String kind, int priority) {
        return fixture()
                .queue
                .enqueue(new JobRequest(kind, "{}", EnqueueOptions.DEFAULTS.priority(priority)))
                .jobId();
    }

    private void enqueueAll(String kind, int jobs, int priority) {
        fixture()
                .queue
                .enqueueAll(
                        dev.pawl.api.JobType.of(kind, String.class),
                        IntStream.range(0, jobs).mapToObj(i -> "n").toList(),
                        name -> EnqueueOptions.DEFAULTS.priority(priority));
    }

    private List<Grant> claim(Strategy strategy, int limit, List<String> kinds) throws SQLException {
        return fixture()
                .store
                .strategy(strategy)
                .claim(new ClaimRequest("default", kinds, limit, fixture().worker, Fixture.LEASE, false));
    }

    private static List<Long> ids(List<Grant> claimed) {
        return claimed.stream().map(one -> one.job().id()).toList();
    }

    /** Jobs of several kinds are claimed in the same order as jobs of one kind, and a kind with many jobs does not crowd out the others. */
    @ParameterizedTest
    @MethodSource("dev.pawl.conformance.TestedStrategies#all")
    default void kindsTakeTurnsInTheOrderOfTheQueue(Strategy strategy) throws Exception {
        assumeThat(strategy)
                .matches(one -> !(one instanceof Strategy.Optimistic own) || own.pick() == Strategy.Pick.FIRST);
        List<String> kinds = List.of("c", "a", "b", "none");
        List<Long> second = new ArrayList<>();
        List<Long> first = new ArrayList<>();
        List<Long> third = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            enqueue("unknown", -2);
            second.add(enqueue(List.of("a", "a", "b", "c").get(i % 4), 0));
            first.add(enqueue(List.of("c", "b").get(i % 2), -1));
            third.add(enqueue("a", 1));
        }
        List<Long> expected = new ArrayList<>(first);
        expected.addAll(second);
        expected.addAll(third);
        List<Long> claimed = new ArrayList<>();
        for (int limit : new int[] {1, 5, 9, 3, 14, 100}) {
            claimed.addAll(ids(claim(strategy, limit, kinds)));
        }
        assertThat(claimed).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.conformance.TestedStrategies#all")
    default void aClaimOfManyKindsIsFullWhereverTheJobsAre(Strategy strategy) throws Exception {
        List<String> kinds = new ArrayList<>();
        for (int kind = 0; kind < 130; kind++) {
            kinds.add("kind" + kind);
            enqueue("kind" + kind, kind % 3);
        }
        enqueueAll("kind7", 400, 1);
        enqueueAll("kind8", 400, 1);
        assertThat(claim(strategy, 300, kinds)).hasSize(300);
        assertThat(claim(strategy, 1000, kinds)).hasSize(630);
        assertThat(claim(strategy, 1000, kinds)).isEmpty();
    }

    /** Other workers hold all jobs of one kind. The claim neither waits for these jobs nor returns fewer jobs than are available. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aKindThatOthersHoldLeavesTheClaimToTheOtherKinds() throws Exception {
        assumeThat(fixture().database.dialect().product()).isNotEqualTo("sqlite"); // SQLite locks no rows
        enqueueAll("a", 20, 0);
        enqueueAll("b", 100, 0);
        fixture().database.transaction(connection -> {
            fixture().execute(connection, "SELECT id FROM pawl_job WHERE kind = 'a' ORDER BY id FOR UPDATE");
            assertThat(claim(Strategy.ROWS, 50, List.of("a", "b")))
                    .hasSize(50)
                    .allSatisfy(one -> assertThat(one.job().kind()).isEqualTo("b"));
            return true;
        });
        assertThat(claim(Strategy.ROWS, 1000, List.of("a", "b"))).hasSize(70);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.conformance.TestedStrategies#all")
    default void workersOfSeveralKindsThatClaimAtOnceNeverGetTheSameJob(Strategy strategy) throws Exception {
        int jobs = 300;
        for (String kind : List.of("a", "b", "c")) {
            enqueueAll(kind, jobs / 3, 0);
        }
        Set<Long> seen = ConcurrentHashMap.newKeySet();
        Set<Long> twice = ConcurrentHashMap.newKeySet();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> workers = new ArrayList<>();
            for (int w = 0; w < 4; w++) {
                workers.add(threads.submit(() -> {
                    while (seen.size() < jobs) {
                        for (long id : ids(claim(strategy, 7, List.of("a", "b", "c")))) {
                            if (!seen.add(id)) {
                                twice.add(id);
                            }
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> worker : workers) {
                worker.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(twice).isEmpty();
        assertThat(seen).hasSize(jobs);
    }

    /**
     * Many jobs of unknown kinds, with thousands of priorities, sort before the worker's own. The server counts the rows that a claim
     * reads.
     */
    @ParameterizedTest
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    @MethodSource("dev.pawl.conformance.TestedStrategies#all")
    default void aCrowdOfUnknownKindsIsNotReadOnTheWay(Strategy strategy) throws Exception {
        assumeThat(fixture().database.dialect().product())
                .isNotEqualTo("sqlite"); // SQLite counts no rows: see the plans
        assumeThat(liveTableHasParts()).isFalse(); // to scan a part of 80 pages is cheaper than to look up ten ids
        // One connection is used often while the table is small, so a server or driver that keeps a plan keeps one for
        // a small table.
        try (HikariDataSource one = fixture().testDatabase.newDataSource(1)) {
            DatabaseProduct product = Databases.of(one, fixture().prefix);
            Database database = new Database(one, product.dialect());
            ClaimStrategy claims = new SqlJobStore(product, database, Retention.DEFAULTS).strategy(strategy);
            List<List<String>> wanted = List.of(List.of("a"), List.of("a", "b", "c"));
            enqueueAll("other", 100, 7);
            if (isPostgres()) {
                statisticsStayAsTheyAre();
            }
            for (int i = 0; i < 12; i++) {
                wanted.get(1).forEach(kind -> enqueueAll(kind, 1, 7));
                for (List<String> kinds : wanted) {
                    claims.claim(new ClaimRequest("default", kinds, 1000, fixture().worker, Fixture.LEASE, false));
                }
            }
            crowd(20_000, 5_000);
            for (List<String> kinds : wanted) {
                kinds.forEach(kind -> enqueueAll(kind, 5, 7));
                int there = 5 * kinds.size();
                long before = rowsRead(database);
                List<Grant> claimed =
                        claims.claim(new ClaimRequest("default", kinds, 1000, fixture().worker, Fixture.LEASE, false));
                long read = rowsRead(database) - before;
                assertThat(claimed).hasSize(there);
                assertThat(read)
                        .as("rows and index entries read for %s", claimed.size())
                        .isLessThan(30L * there + 100);
            }
        }
    }

    /**
     * Keeps the statistics of a small table, with which the planner would read the whole table. Autoanalyze must not run while the jobs are
     * written, because it would see pages without rows. Until its next run, the planner would then prefer a scan of these pages to the
     * index.
     */
    private void statisticsStayAsTheyAre() throws SQLException {
        fixture().execute("ALTER TABLE pawl_job SET (autovacuum_enabled = false)");
        fixture().execute("ANALYZE pawl_job");
    }

    private void crowd(int jobs, int priorities) throws SQLException {
        String now = fixture().database.dialect().now();
        String columns =
                "INSERT INTO pawl_job (created_at, available_at, max_attempts, priority, queue, kind, payload)";
        String values = "SELECT " + now + ", " + now + ", 20, n % " + priorities + " - 100, 'default', "
                + (isPostgres() ? "'crowd' || (n % 3)" : "CONCAT('crowd', n % 3)") + ", '{}'";
        if (isPostgres()) {
            fixture().execute(columns + " " + values + " FROM generate_series(1, " + jobs + ") AS n");
            return;
        }
        String digits = "(SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4"
                + " UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)";
        fixture()
                .execute(columns + " " + values + " FROM (SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d"
                        + " AS n FROM " + digits + " a, " + digits + " b, " + digits + " c, " + digits + " e, " + digits
                        + " f) numbers WHERE n < " + jobs);
    }

    private boolean isPostgres() {
        return fixture().database.dialect().product().equals("postgresql");
    }

    private long rowsRead(Database database) throws SQLException {
        return database.autocommit(connection -> isPostgres()
                ? rowsReadOnPostgres(connection)
                : sum(connection, "SHOW SESSION STATUS LIKE 'Handler_read%'", 2));
    }

    private long rowsReadOnPostgres(Connection connection) throws SQLException {
        sum(connection, "SELECT 0 FROM pg_stat_force_next_flush()", 1);
        sum(connection, "SELECT 0", 1);
        return sum(
                connection,
                fixture()
                        .database
                        .dialect()
                        .sql("SELECT (SELECT SUM(idx_tup_read) FROM pg_stat_user_indexes"
                                + " WHERE relname LIKE 'pawl_job%') + (SELECT SUM(seq_tup_read) FROM pg_stat_user_tables"
                                + " WHERE relname LIKE 'pawl_job%')"),
                1);
    }

    private static long sum(Connection connection, String sql, int column) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            long sum = 0;
            while (rows.next()) {
                sum += rows.getLong(column);
            }
            return sum;
        }
    }
}
