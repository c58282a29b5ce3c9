package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.conformance.RunsOn;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.cluster.UpcomingMoment;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.feature.Features;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import dev.pawl.servers.Product;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The statements of a worker while thousands of jobs are delayed. Each statement reads only a few of the delayed jobs, with and without
 * statistics.
 */
@WhiteBox
interface DelayedJobsContract extends Contract {
    int CROWD = 16_000;
    /** The most rows that a statement may read: a few jobs, and their entries in other tables. */
    long MAX = 4_000;

    List<String> KINDS = List.of("greet", "wave");

    /** A call of a worker. */
    @FunctionalInterface
    interface Call {
        void run() throws SQLException;
    }

    /** Not on MariaDB, where the plan of a GROUP BY depends on when the server takes statistics. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MYSQL, Product.SQLITE})
    default void aWorkerReadsFewDelayedJobs(Fixture fixture) throws Exception {
        assumeTrue(fixture.product != Product.MARIADB);
        fixture.schemaChanges(); // a table too large to share with other tests
        if (fixture.product == Product.MYSQL) { // otherwise the server takes statistics at any moment
            fixture.execute("ALTER TABLE pawl_job STATS_AUTO_RECALC = 0");
        }
        delay(fixture, "default", 0, CROWD);
        delay(fixture, "other", 5, CROWD);
        CountingDataSource source = new CountingDataSource(fixture);
        DatabaseProduct product = Databases.of(fixture.pool, fixture.prefix);
        Database database = new Database(source.dataSource(), product.dialect());
        SqlJobStore store = new SqlJobStore(product, database, Retention.DEFAULTS);
        WorkerRegistry workers = new WorkerRegistry(database);
        UpcomingMoment moments = new UpcomingMoment(database, Features.installed());
        List<String> queues = List.of("default", "other");
        List<String> large = new ArrayList<>();
        for (boolean analyzed : new boolean[] {false, true}) {
            if (analyzed) {
                fixture.execute(fixture.product.analyze("pawl_job"));
            }
            for (Strategy strategy : List.of(Strategy.AUTO, Strategy.ROWS)) {
                for (int i = 0; i < 10; i++) {
                    long inLane = fixture.enqueue();
                    long withRow = fixture.enqueueRow();
                    assertThat(inLane).isNotEqualTo(withRow);
                }
                List<Grant> claimed = new ArrayList<>();
                count(source, strategy + " claims", large, () -> {
                    for (String queue : queues) {
                        claimed.addAll(store.strategy(strategy)
                                .claim(new ClaimRequest(queue, KINDS, 20, fixture.worker, Fixture.LEASE, false)));
                    }
                });
                assertThat(claimed).hasSizeGreaterThanOrEqualTo(10);
                count(source, strategy + " retries with a delay", large, () -> {
                    var unused = store.strategy(strategy)
                            .settle(claimed.stream()
                                    .map(one -> new Settlement(
                                            one.lease(), new Verdict.Retry(Duration.ofHours(2), "failed")))
                                    .toList());
                });
                count(source, strategy + " finds nothing", large, () -> {
                    for (String queue : queues) {
                        var unused = store.strategy(strategy)
                                .claim(new ClaimRequest(queue, KINDS, 20, fixture.worker, Fixture.LEASE, false));
                    }
                });
            }
            count(
                    source,
                    "the next moment",
                    large,
                    () -> assertThat(moments.until(queues, KINDS, queues, List.of())
                                    .first())
                            .hasValueSatisfying(next -> assertThat(next).isLessThan(Duration.ofHours(1))));
            count(source, "due queues", large, () -> {
                var unused = workers.dueQueues("", Set.copyOf(KINDS));
            });
            count(source, "unhandled jobs", large, () -> {
                var unused = workers.uncovered();
            });
            count(source, "duties", large, () -> Fixture.runDuties(store));
        }
        assertThat(large).isEmpty();
    }

    private static void count(CountingDataSource source, String name, Collection<String> large, Call call)
            throws SQLException {
        source.take();
        call.run();
        List<CountingDataSource.Read> reads = source.take();
        assertThat(reads).as(name).isNotEmpty();
        for (CountingDataSource.Read read : reads) {
            if (read.rows() > MAX) {
                large.add(name + " reads " + read.rows() + " rows: " + read.sql() + "\n"
                        + String.join("\n", read.plan()));
            }
        }
    }

    private static void delay(Fixture fixture, String queue, int priority, int jobs) {
        EnqueueOptions later =
                EnqueueOptions.DEFAULTS.queue(queue).priority(priority).delay(Duration.ofMinutes(50));
        fixture.queue.enqueueAll(IntStream.range(0, jobs)
                .mapToObj(i -> new JobRequest(KINDS.get(i % KINDS.size()), "\"later\"", later))
                .collect(Collectors.toList()));
    }
}
