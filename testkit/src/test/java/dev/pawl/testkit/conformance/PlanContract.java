package dev.pawl.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.pawl.EnqueueOptions;
import dev.pawl.Retention;
import dev.pawl.Strategy;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimedJob;
import dev.pawl.internal.store.FinishedRun;
import dev.pawl.internal.store.Held;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Stores;
import dev.pawl.internal.store.Verdict;
import dev.pawl.internal.store.sql.Database;
import dev.pawl.internal.store.sql.SqlJobStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the server does for each statement when the table is full of jobs that are not to be claimed. */
interface PlanContract extends Contract {
    int CROWD = 100_000;

    @Test
    default void noStatementReadsTheWholeTableNorSortsTheBacklog() throws Exception {
        ExplainingDataSource source = new ExplainingDataSource(fixture().pool, explain());
        Database database = new Database(source.dataSource(), Stores.dialect(fixture().pool, fixture().prefix));
        SqlJobStore store = Stores.store(database, Retention.DEFAULTS);
        fillUp();
        for (boolean analyzed : new boolean[] {false, true}) {
            if (analyzed) {
                analyze();
            }
            for (Strategy strategy : Contract.strategies()) {
                enqueueReady();
                List<ClaimedJob> claimed = new ArrayList<>();
                for (int limit : new int[] {1, 10, 1000}) {
                    claimed.addAll(store.claim(strategy)
                            .claim(new ClaimRequest(
                                    "default", List.of("greet"), limit, fixture().worker, Fixture.LEASE)));
                }
                assertThat(claimed).as("%s", strategy).hasSize(100);
                source.takePlans().forEach(plan -> assertGood(plan, true));
                useUp(store, claimed);
                source.takePlans().forEach(plan -> assertGood(plan, false));
            }
        }
    }

    /** Where a whole table is quickly read it is tempting to read it whole, and to stop at what others have locked. */
    @Test
    default void jobsAreFoundByTheirIdsInASmallTableToo() throws Exception {
        assumeThat(fixture().database.dialect().product()).isNotEqualTo("sqlite"); // it locks no rows
        ExplainingDataSource source = new ExplainingDataSource(fixture().pool, explain());
        Database database = new Database(source.dataSource(), Stores.dialect(fixture().pool, fixture().prefix));
        SqlJobStore store = Stores.store(database, Retention.DEFAULTS);
        for (int i = 0; i < 15; i++) {
            enqueueReady();
        }
        analyze();
        List<ClaimedJob> claimed = store.claim(Strategy.AUTO)
                .claim(new ClaimRequest("default", List.of("greet"), 1000, fixture().worker, Fixture.LEASE));
        source.takePlans();
        useUp(store, claimed);
        source.takePlans().stream()
                .filter(plan -> !plan.sql().startsWith("SELECT") || plan.sql().contains("FOR UPDATE"))
                .forEach(plan -> assertGood(plan, false));
    }

    /** The table in docs/strategies.md. */
    @Test
    default void theStatementsOfABatchAreAsManyAsTheManualSays() throws Exception {
        ExplainingDataSource source = new ExplainingDataSource(fixture().pool, explain());
        Database database = new Database(source.dataSource(), Stores.dialect(fixture().pool, fixture().prefix));
        SqlJobStore store = Stores.store(database, Retention.DEFAULTS);
        boolean oneStatement = database.dialect().product().equals("postgresql");
        for (Strategy strategy : Contract.strategies()) {
            enqueueReady();
            List<Lease> leases = store
                    .claim(strategy)
                    .claim(new ClaimRequest("default", List.of("greet"), 100, fixture().worker, Fixture.LEASE))
                    .stream()
                    .map(ClaimedJob::lease)
                    .toList();
            boolean optimistic = strategy instanceof Strategy.Optimistic;
            boolean counts =
                    strategy instanceof Strategy.Optimistic own && own.window() == Strategy.Optimistic.FOLLOW_WORKERS;
            boolean own = oneStatement && !(strategy instanceof Strategy.Pessimistic);
            assertThat(source.takePlans())
                    .as("claim, %s", strategy)
                    .hasSize(optimistic ? 2 + 100 + 1 + (counts ? 1 : 0) : own ? 1 : 6);
            store.finish(leases.stream()
                    .map(lease -> new FinishedRun(lease, new Verdict.Completed()))
                    .toList());
            assertThat(source.takePlans()).as("completion, %s", strategy).hasSize(oneStatement ? 1 : 3);
        }
    }

    private String explain() {
        return switch (fixture().database.dialect().product()) {
            case "sqlite" -> "EXPLAIN QUERY PLAN ";
            default -> "EXPLAIN ";
        };
    }

    private void fillUp() throws Exception {
        fixture()
                .queue
                .enqueueAll(
                        Fixture.GREET,
                        Collections.nCopies(2 * CROWD, "n"),
                        name -> EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)));
        String now = fixture().database.dialect().now();
        fixture()
                .execute("UPDATE pawl_job SET state = 1, attempt = 1, leased_by = 1, started_at = " + now
                        + ", lease_expires_at = available_at, available_at = created_at WHERE id % 2 = 0");
    }

    private void enqueueReady() {
        fixture()
                .queue
                .enqueueAll(
                        Fixture.GREET,
                        IntStream.range(0, 100).mapToObj(i -> "ready").toList());
    }

    private void analyze() throws Exception {
        switch (fixture().database.dialect().product()) {
            case "mysql" -> fixture().execute("ANALYZE TABLE pawl_job");
            case "sqlite" -> fixture().execute("ANALYZE");
            default -> fixture().execute("ANALYZE pawl_job");
        }
    }

    /** Every fenced verb, with jobs left for the next one. */
    private static void useUp(SqlJobStore store, List<ClaimedJob> claimed) throws Exception {
        List<Lease> leases = claimed.stream().map(ClaimedJob::lease).toList();
        store.renew(leases.stream().map(lease -> new Held(lease, 1)).toList(), Duration.ofMinutes(1));
        store.abandoned(500);
        store.rescue(List.of(new FinishedRun(leases.get(0), new Verdict.Snooze(Duration.ZERO))));
        store.finish(List.of(
                new FinishedRun(leases.get(1), new Verdict.Retry(Duration.ofHours(2), "failed")),
                new FinishedRun(leases.get(2), new Verdict.Discarded("hopeless", "failed"))));
        store.mark(leases.subList(3, 10), 1);
        store.sweep(1000);
        store.finish(leases.subList(10, 50).stream()
                .map(lease -> new FinishedRun(lease, new Verdict.Completed()))
                .toList());
        store.release(leases.subList(50, 60));
        store.finish(leases.stream()
                .map(lease -> new FinishedRun(lease, new Verdict.Completed()))
                .toList());
        // What was put back is claimed and completed, so that the next strategy finds 100 ready jobs.
        List<ClaimedJob> rest =
                store.claim(Strategy.AUTO).claim(new ClaimRequest("default", List.of("greet"), 1000, 1, Fixture.LEASE));
        store.finish(rest.stream()
                .map(one -> new FinishedRun(one.lease(), new Verdict.Completed()))
                .toList());
    }

    private void assertGood(ExplainingDataSource.Plan plan, boolean inOrder) {
        for (String line : plan.lines()) {
            String description = plan.sql() + "\n" + String.join("\n", plan.lines());
            assertThat(line)
                    .as(description)
                    .doesNotContainPattern("Seq Scan on \\w*pawl_job\\b")
                    .doesNotContainPattern("SCAN \\w*(pawl_job|j)\\b(?! USING COVERING INDEX \\w*_marked)")
                    .doesNotContainPattern("table=\\w*(pawl_job|j) .*type=ALL");
            if (inOrder) {
                assertThat(line)
                        .as(description)
                        .doesNotContain("Sort  (")
                        .doesNotContain("filesort")
                        .doesNotContain("TEMP B-TREE FOR ORDER BY");
            }
        }
    }
}
