package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.JobQueue;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.conformance.RunsOn;
import dev.pawl.conformance.TestedStrategies;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.key.SqlKeys;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.ConcurrencyKeys;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.JobKey;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LeaseRenewal;
import dev.pawl.internal.store.Rescue;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import dev.pawl.servers.Capability;
import dev.pawl.servers.Product;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The plans of all statements when the table is full of jobs that are not claimable. */
@WhiteBox
interface PlanContract extends Contract {
    int CROWD = 25_000;
    /** Statements that read or write jobs with rows. */
    String JOBS = "pawl_job\\b";

    @Test
    default void noStatementScansTheTableOrSortsTheBacklog(Fixture fixture) throws Exception {
        assumeFalse(liveTableHasParts(), "over several parts the planner may sort the few rows that they return");
        fixture.schemaChanges(); // a table too large to share with other tests
        ExplainingDataSource source = new ExplainingDataSource(fixture.pool, fixture.product.explain());
        DatabaseProduct product = Databases.of(fixture.pool, fixture.prefix);
        Database database = new Database(source.dataSource(), product.dialect());
        SqlJobStore store = new SqlJobStore(product, database, Retention.DEFAULTS);
        fillUp(fixture);
        for (boolean analyzed : new boolean[] {false, true}) {
            if (analyzed) {
                fixture.execute(fixture.product.analyze("pawl_job"));
            }
            for (Strategy strategy : TestedStrategies.all()) {
                if (strategy instanceof Strategy.Lanes) {
                    continue; // see LaneContract
                }
                enqueueReady(fixture);
                List<Grant> claimed = new ArrayList<>();
                for (int limit : new int[] {1, 10, 1000}) {
                    claimed.addAll(store.strategy(strategy)
                            .claim(new ClaimRequest(
                                    "default", List.of("greet"), limit, fixture.worker, Fixture.LEASE, false)));
                }
                assertThat(claimed).as("%s", strategy).hasSize(100);
                source.takePlans(JOBS).forEach(plan -> assertGood(plan, true));
                useUp(store, claimed);
                source.takePlans(JOBS).forEach(plan -> assertGood(plan, false));
            }
        }
    }

    /** Jobs that a key releases are claimed and completed by their ids, however few of all jobs have keys. */
    @Test
    default void aKeyReleaseReadsItsJobsByTheirIds(Fixture fixture) throws Exception {
        assumeFalse(liveTableHasParts(), "over several parts the planner may sort the few rows that they return");
        fixture.schemaChanges();
        ExplainingDataSource source = new ExplainingDataSource(fixture.pool, fixture.product.explain());
        DatabaseProduct product = Databases.of(fixture.pool, fixture.prefix);
        Database database = new Database(source.dataSource(), product.dialect());
        SqlJobStore store = new SqlJobStore(product, database, Retention.DEFAULTS);
        ConcurrencyKeys concurrencyKeys = new SqlKeys(database, product.claimById());
        ClaimRequest request =
                new ClaimRequest("default", List.of("greet"), 1000, fixture.worker, Fixture.LEASE, false);
        fillUp(fixture);
        for (boolean analyzed : new boolean[] {false, true}) {
            if (analyzed) {
                fixture.execute(fixture.product.analyze("pawl_job"));
                fixture.execute(fixture.product.analyze("pawl_keyed"));
            }
            List<JobKey> keys = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                String key = "key " + i;
                keys.add(new JobKey("default", key));
                fixture.queue.enqueueAll(Fixture.GREET, List.of("1", "2"), n -> EnqueueOptions.DEFAULTS.key(key));
            }
            source.clear();
            for (int turn = 0; turn < 2; turn++) {
                List<Grant> claimed = concurrencyKeys
                        .releaseJobs(keys, Map.of("default", request))
                        .claimed();
                assertThat(claimed).hasSize(20);
                store.strategy(Strategy.ROWS)
                        .settle(claimed.stream()
                                .map(one -> new Settlement(one.lease(), new Verdict.Completed()))
                                .toList());
            }
            source.takePlans(JOBS).forEach(plan -> assertGood(plan, false));
        }
    }

    /** A release of hundreds of keys concerns a small part of all keys, and must not read the others. */
    @Test
    default void aReleaseOfManyKeysReadsNoOthers(Fixture fixture) throws Exception {
        fixture.schemaChanges();
        ExplainingDataSource source = new ExplainingDataSource(fixture.pool, fixture.product.explain());
        DatabaseProduct product = Databases.of(fixture.pool, fixture.prefix);
        Database database = new Database(source.dataSource(), product.dialect());
        SqlJobStore store = new SqlJobStore(product, database, Retention.DEFAULTS);
        ConcurrencyKeys concurrencyKeys = new SqlKeys(database, product.claimById());
        ClaimRequest request =
                new ClaimRequest("default", List.of("greet"), 1000, fixture.worker, Fixture.LEASE, false);
        List<JobKey> keys = IntStream.range(0, 2_000)
                .mapToObj(i -> new JobKey("default", "key " + i))
                .toList();
        for (int jobs = 0; jobs < 3; jobs++) {
            fixture.queue.enqueueAll(
                    Fixture.GREET, keys.stream().map(JobKey::key).toList(), key -> EnqueueOptions.DEFAULTS.key(key));
        }
        int together =
                concurrencyKeys.areFasterInParallel() ? concurrencyKeys.maxKeys() / 2 : concurrencyKeys.maxKeys();
        for (int from = 0; from < keys.size(); from += together) {
            ConcurrencyKeys.Released unused =
                    concurrencyKeys.releaseJobs(keys.subList(from, from + together), Map.of());
        }
        for (boolean analyzed : new boolean[] {false, true}) {
            if (analyzed) {
                for (String table : List.of("pawl_job", "pawl_keyed", "pawl_key")) {
                    fixture.execute(fixture.product.analyze(table));
                }
            }
            List<Grant> gone = store.strategy(Strategy.ROWS).claim(request.withLimit(together));
            source.clear();
            store.strategy(Strategy.ROWS)
                    .settle(gone.stream()
                            .map(one -> new Settlement(one.lease(), new Verdict.Completed()))
                            .toList());
            List<JobKey> some = gone.stream()
                    .map(one -> new JobKey("default", one.job().key().orElseThrow()))
                    .toList();
            assertThat(concurrencyKeys
                            .releaseJobs(some, Map.of("default", request))
                            .claimed())
                    .hasSize(together);
            source.takePlans("^(?!INSERT).*pawl_key\\b").forEach(PlanContract::assertReadsNoOtherKeys);
        }
    }

    private static void assertReadsNoOtherKeys(ExplainingDataSource.Plan plan) {
        String keys = plan.names("pawl_key");
        assertThat(plan.toString())
                .doesNotContainPattern("(Hash|Merge) Join") // with the given values
                .doesNotContainPattern("Seq Scan on " + keys)
                .doesNotContainPattern("SCAN " + keys)
                .doesNotContainPattern("SEARCH " + keys + " USING .*\\(queue=\\?\\)")
                .doesNotContainPattern("table=" + keys + " .*type=(ALL|index|ref)\\b");
    }

    /** The table has no statistics, so the planner estimates that few jobs wait. */
    @Test
    default void aRetryReadsNoWaitingJobs(Fixture fixture) throws Exception {
        assumeFalse(liveTableHasParts(), "over several parts the planner may sort the few rows that they return");
        fixture.schemaChanges();
        ExplainingDataSource source = new ExplainingDataSource(fixture.pool, fixture.product.explain());
        fixture.queue.enqueueAll(
                Fixture.GREET,
                Collections.nCopies(3_000, "n"),
                name -> EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)));
        long id = fixture.enqueue(EnqueueOptions.DEFAULTS.key("k").delay(Duration.ofHours(1)));
        fixture.admin.jobs().cancel(id);
        try (JobQueue queue = JobQueue.builder(source.dataSource())
                .tablePrefix(fixture.prefix)
                .migrate(false)
                .open()) {
            source.clear();
            queue.admin().jobs().retry(id);
            queue.admin().jobs().cancel(id);
        }
        source.takePlans(JOBS)
                .forEach(plan -> assertThat(plan.toString())
                        .doesNotContainPattern("Seq Scan on \\w*pawl_job\\b")
                        .doesNotContainPattern("Index Scan (using|on) \\w*job_ready")
                        .doesNotContainPattern("table=" + plan.names("pawl_job") + " .*type=ALL"));
    }

    /** The planner is tempted to read a small table whole. Such a read waits for rows that other transactions have locked. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aSmallTableIsNotScannedEither(Fixture fixture) throws Exception {
        fixture.assumeCan(Capability.ROW_LOCKS);
        ExplainingDataSource source = new ExplainingDataSource(fixture.pool, fixture.product.explain());
        DatabaseProduct product = Databases.of(fixture.pool, fixture.prefix);
        Database database = new Database(source.dataSource(), product.dialect());
        SqlJobStore store = new SqlJobStore(product, database, Retention.DEFAULTS);
        for (int i = 0; i < 15; i++) {
            enqueueReady(fixture);
        }
        fixture.execute(fixture.product.analyze("pawl_job"));
        List<Grant> claimed = store.strategy(Strategy.ROWS)
                .claim(new ClaimRequest("default", List.of("greet"), 1000, fixture.worker, Fixture.LEASE, false));
        source.clear();
        useUp(store, claimed);
        source.takePlans("^(?!SELECT).*pawl_job\\b|pawl_job\\b.*FOR UPDATE").forEach(plan -> assertGood(plan, false));
    }

    /** Checks the table in docs/inside/strategies.md. */
    @Test
    default void aBatchTakesTheDocumentedNumberOfStatements(Fixture fixture) throws Exception {
        ExplainingDataSource source = new ExplainingDataSource(fixture.pool, fixture.product.explain());
        DatabaseProduct product = Databases.of(fixture.pool, fixture.prefix);
        Database database = new Database(source.dataSource(), product.dialect());
        SqlJobStore store = new SqlJobStore(product, database, Retention.DEFAULTS);
        boolean oneStatement = fixture.product.can(Capability.WRITE_RETURNS_ROWS);
        for (Strategy strategy : TestedStrategies.all()) {
            if (strategy instanceof Strategy.Lanes) {
                continue; // see LaneContract
            }
            ClaimStrategy claims = store.strategy(strategy);
            ClaimRequest request =
                    new ClaimRequest("default", List.of("greet"), 100, fixture.worker, Fixture.LEASE, false);
            if (!(strategy
                    // after a full claim, other strategies claim without first asking whether jobs wait
                    instanceof Strategy.Optimistic)) {
                assertThat(claims.claim(request)).isEmpty();
            }
            source.clear();
            enqueueReady(fixture);
            List<Lease> leases =
                    claims.claim(request).stream().map(Grant::lease).toList();
            boolean optimistic = strategy instanceof Strategy.Optimistic;
            boolean counts =
                    strategy instanceof Strategy.Optimistic own && own.window() == Strategy.Optimistic.FOLLOW_WORKERS;
            boolean own = oneStatement && !(strategy instanceof Strategy.Pessimistic);
            assertThat(source.takePlans().stream()
                            .filter(plan -> !plan.sql().contains("_lane")) // lanes are read once in two seconds
                            .filter(plan -> !plan.sql().contains("_LOCK(")) // claims take turns for some seconds
                            .toList())
                    .as("claim, %s", strategy)
                    .hasSize(optimistic ? 2 + 100 + 1 + (counts ? 1 : 0) : own ? 1 : 6);
            claims.settle(leases.stream()
                    .map(lease -> new Settlement(lease, new Verdict.Completed()))
                    .toList());
            assertThat(source.takePlans())
                    .as("completion, %s", strategy)
                    .hasSize(
                            strategy instanceof Strategy.Pessimistic marks && marks.deleteMark()
                                    ? 2
                                    : oneStatement ? 1 : 3);
        }
    }

    /** Planning these statements takes longer than running them. */
    @Test
    @RunsOn(Product.POSTGRESQL)
    default void theStatementsOfARowsTransactionKeepTheirPlans(Fixture fixture) throws Exception {
        assumeTrue(fixture.product == Product.POSTGRESQL);
        fixture.enqueue();
        Lease lease = fixture.store
                .strategy(Strategy.ROWS)
                .claim(new ClaimRequest("default", List.of("greet"), 1, fixture.worker, Fixture.LEASE, false))
                .get(0)
                .lease();
        long kept = fixture.database.transaction(connection -> {
            long plans = 0;
            long end = System.nanoTime() + Fixture.SOON.toNanos();
            while (plans == 0 && System.nanoTime() < end) {
                assertThat(fixture.store.lock(connection, lease)).isTrue();
                plans = fixture.database
                        .dialect()
                        .statement("SELECT COALESCE(MAX(generic_plans), 0) FROM pg_prepared_statements"
                                + " WHERE statement LIKE 'SELECT 1 FROM %pawl_job WHERE id = %'")
                        .on(connection)
                        .one(row -> row.getLong(1));
            }
            Lease lost = new Lease(lease.jobId(), lease.token() + 1);
            assertThat(fixture.store.complete(connection, new Settlement(lost, new Verdict.Completed())))
                    .isFalse();
            assertThat(fixture.store.complete(connection, new Settlement(lease, new Verdict.Completed())))
                    .isTrue();
            return plans;
        });
        assertThat(kept).isPositive();
        assertThat(fixture.count("pawl_job_history")).isEqualTo(1);
    }

    private void fillUp(Fixture fixture) throws Exception {
        fixture.queue.enqueueAll(
                Fixture.GREET,
                Collections.nCopies(2 * CROWD, "n"),
                name -> EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)));
        String now = fixture.database.dialect().now();
        fixture.execute("UPDATE pawl_job SET state = 1, attempt = 1, leased_by = 1, started_at = " + now
                + ", lease_expires_at = available_at, available_at = created_at WHERE id % 2 = 0");
    }

    private void enqueueReady(Fixture fixture) {
        fixture.queue.enqueueAll(
                Fixture.GREET, IntStream.range(0, 100).mapToObj(i -> "ready").toList());
    }

    /** Runs every command that checks a lease, and leaves jobs for the next command. */
    private static void useUp(SqlJobStore store, List<Grant> claimed) throws Exception {
        ClaimStrategy rows = store.strategy(Strategy.ROWS);
        List<Lease> leases = claimed.stream().map(Grant::lease).toList();
        rows.renew(leases.stream().map(lease -> new LeaseRenewal(lease, 1)).toList(), Duration.ofMinutes(1));
        store.abandoned(500, 0);
        store.rescue(List.of(new Rescue(leases.get(0), Instant.EPOCH, new Verdict.Snooze(Duration.ZERO))));
        rows.settle(List.of(
                new Settlement(leases.get(1), new Verdict.Retry(Duration.ofHours(2), "failed")),
                new Settlement(leases.get(2), new Verdict.Discarded("hopeless", "failed"))));
        store.strategy(new Strategy.Pessimistic(0, true))
                .settle(leases.subList(3, 10).stream()
                        .map(lease -> new Settlement(lease, new Verdict.Completed()))
                        .toList());
        Fixture.runDuties(store);
        rows.settle(leases.subList(10, 50).stream()
                .map(lease -> new Settlement(lease, new Verdict.Completed()))
                .toList());
        rows.release(leases.subList(50, 60));
        rows.settle(leases.stream()
                .map(lease -> new Settlement(lease, new Verdict.Completed()))
                .toList());
        // Released jobs are claimed and completed, so that the next strategy finds 100 ready jobs.
        List<Grant> rest = store.strategy(Strategy.ROWS)
                .claim(new ClaimRequest("default", List.of("greet"), 1000, 1, Fixture.LEASE, false));
        rows.settle(rest.stream()
                .map(one -> new Settlement(one.lease(), new Verdict.Completed()))
                .toList());
    }

    private void assertGood(ExplainingDataSource.Plan plan, boolean inOrder) {
        String jobs = plan.names("pawl_job");
        assertThat(plan.toString())
                .doesNotContainPattern("Seq Scan on \\w*pawl_job\\b")
                .doesNotContainPattern("SCAN " + jobs + "(?! USING COVERING INDEX \\w*_marked)")
                .doesNotContainPattern("table=" + jobs + " .*type=ALL");
        if (inOrder) {
            assertThat(plan.toString()).doesNotContain("Sort  (", "filesort", "TEMP B-TREE FOR ORDER BY");
        }
    }
}
