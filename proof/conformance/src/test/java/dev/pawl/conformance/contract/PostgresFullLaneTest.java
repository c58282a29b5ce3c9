package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.admin.CancelResult;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On PostgreSQL, a claim from a full lane takes two statements instead of one. They must keep the guarantees of the single statement. */
@Timeout(120)
@WhiteBox
class PostgresFullLaneTest {
    private static final int MANY = 100;

    private final ExpectedStatements expected = new ExpectedStatements();
    private TestDatabase database;
    private HikariDataSource pool;
    private JobQueue queue;

    @BeforeEach
    void open() {
        database = TestServers.postgres().createDatabase();
        pool = database.newDataSource(8);
        queue = JobQueue.open(pool);
        queue.admin().queues().setStrategy("default", Strategy.LANES);
    }

    @AfterEach
    void close() throws Exception {
        queue.close();
        pool.close();
        database.close();
        expected.requireAll();
    }

    private ClaimStrategy process() throws SQLException {
        return process(pool);
    }

    private ClaimStrategy process(DataSource from) throws SQLException {
        DatabaseProduct product = Databases.of(pool, "pawl_");
        return new SqlJobStore(product, new Database(from, product.dialect()), Retention.DEFAULTS)
                .strategy(Strategy.LANES);
    }

    /** {@return the claims of a program, with an action between its read of a full lane and the insert of its range} */
    private ClaimStrategy processWithBetween(TamperedDataSource.Gate between) throws SQLException {
        return process(TamperedDataSource.of(
                pool, expected.at("INTO pawl_lane_range.*WHERE end_id", statement -> between.pass())));
    }

    private void enqueue(int jobs) {
        queue.enqueueAll(IntStream.range(0, jobs)
                .mapToObj(n -> new JobRequest("greet", "{\"n\":" + n + "}", EnqueueOptions.DEFAULTS))
                .toList());
    }

    private static List<Long> claim(ClaimStrategy by, long worker, int limit) throws SQLException {
        List<Grant> grants =
                by.claim(new ClaimRequest("default", List.of("greet"), limit, worker, Duration.ofMinutes(5), true));
        return grants.stream().map(grant -> grant.job().id()).toList();
    }

    @Test
    void claimsSideBySideTakeEachJobOnce() throws Exception {
        int jobs = 60 * MANY;
        enqueue(jobs);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<List<Long>>> processes = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            long worker = i;
            ClaimStrategy by = process();
            processes.add(threads.submit(() -> {
                List<Long> all = new ArrayList<>();
                int inVain = 0; // others may win each try of a call
                while (inVain < 20) {
                    List<Long> some = claim(by, worker, MANY);
                    inVain = some.isEmpty() ? inVain + 1 : 0;
                    all.addAll(some);
                }
                return all;
            }));
        }
        List<Long> claimed = new ArrayList<>();
        for (Future<List<Long>> each : processes) {
            claimed.addAll(each.get(100, TimeUnit.SECONDS));
        }
        threads.shutdown();
        assertThat(claimed).hasSize(jobs).doesNotHaveDuplicates();
        assertThat(ranges()).isEqualTo(new Ranges(jobs, jobs));
    }

    @Test
    void aGapIsRecordedAndSearchedLater() throws Exception {
        enqueue(3 * MANY);
        ClaimStrategy by = process();
        List<Long> first = claim(by, 1, MANY);
        long gap = first.get(MANY - 1) + 5;
        execute("DELETE FROM pawl_lane_job WHERE id = " + gap);

        List<Long> second = claim(by, 1, MANY);

        assertThat(second)
                .isEqualTo(LongStream.rangeClosed(first.get(MANY - 1) + 1, first.get(MANY - 1) + MANY + 1)
                        .filter(id -> id != gap)
                        .boxed()
                        .toList());
        assertThat(text("SELECT id_gaps || ' ' || (recount_at = claimed_at + interval '1 second') FROM pawl_lane_range"
                        + " ORDER BY starts_after DESC LIMIT 1"))
                .isEqualTo("1*4 2 1*95 true");
        assertThat(claim(by, 1, MANY)).hasSize(MANY - 1);
    }

    @Test
    void nothingIsClaimedFromAPausedQueue() throws Exception {
        enqueue(3 * MANY);
        ClaimStrategy by = process();
        assertThat(claim(by, 1, MANY)).hasSize(MANY);
        queue.admin().queues().pause("default");
        assertThat(claim(by, 1, MANY)).isEmpty();
    }

    @Test
    void aJobThatIsCancelledBetweenTheTwoStatementsIsNotClaimed() throws Exception {
        enqueue(5 * MANY);
        AtomicLong victim = new AtomicLong();
        AtomicInteger times = new AtomicInteger();
        ClaimStrategy by = processWithBetween(() -> {
            if (times.getAndIncrement() == 0) {
                assertThat(queue.admin().jobs().cancel(victim.get())).isEqualTo(CancelResult.CANCELLED);
            }
        });
        List<Long> first = claim(by, 1, MANY);
        victim.set(first.get(MANY - 1) + 50);
        assertThat(claim(by, 1, MANY)).isNotEmpty().doesNotContain(victim.get());
        assertThat(times).hasValueGreaterThan(0);
        assertThat(by.lost()).isEqualTo(1);
    }

    /**
     * The slow claim read the lane's end from a range that is deleted during the stall. So only the check of the end shows that other
     * claims were faster.
     */
    @Test
    void aStallBetweenTheTwoStatementsTakesNoJobsOfOthers() throws Exception {
        enqueue(8 * MANY);
        ClaimStrategy fast = process();
        List<Long> others = new ArrayList<>();
        AtomicInteger times = new AtomicInteger();
        ClaimStrategy slow = processWithBetween(() -> {
            if (times.getAndIncrement() == 0) {
                for (int i = 0; i < 3; i++) {
                    others.addAll(claim(fast, 2, MANY));
                }
                execute(
                        "DELETE FROM pawl_lane_range WHERE starts_after < (SELECT MAX(starts_after) FROM pawl_lane_range)");
            }
        });
        claim(slow, 1, MANY);
        assertThat(claim(slow, 1, MANY)).isNotEmpty().doesNotContainAnyElementsOf(others);
        assertThat(others).hasSize(3 * MANY);
    }

    /**
     * Another worker claims between the two statements of a slow worker, whose server may be distant. The slow worker succeeds, because
     * later claims of the other one wait for their turn.
     */
    @Test
    void aSlowWorkerStillClaims() throws Exception {
        enqueue(20 * MANY);
        ClaimStrategy fast = process();
        AtomicInteger times = new AtomicInteger();
        ClaimStrategy slow = processWithBetween(() -> {
            times.incrementAndGet();
            claim(fast, 2, MANY);
        });
        for (int i = 0; i < 4; i++) {
            assertThat(claim(slow, 1, MANY)).as("call " + i).hasSize(MANY);
        }
        assertThat(times).hasValueGreaterThan(0);
    }

    /**
     * A worker's claims begin with the single statement. The statement that writes a range after a separate read is found by its text among
     * the prepared statements.
     */
    @Test
    void aFullLaneIsReadByTheOtherStatement() throws Exception {
        enqueue(30 * MANY);
        try (HikariDataSource one = database.newDataSource(1)) {
            DatabaseProduct product = Databases.of(one, "pawl_");
            ClaimStrategy by = new SqlJobStore(product, new Database(one, product.dialect()), Retention.DEFAULTS)
                    .strategy(Strategy.LANES);
            for (int i = 0; i < 20; i++) {
                assertThat(claim(by, 1, MANY)).hasSize(MANY);
            }
            try (Connection connection = one.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM pg_prepared_statements WHERE"
                            + " statement LIKE '%INTO %pawl_lane_range%' AND statement LIKE '%WHERE end_id = %'")) {
                row.next();
                assertThat(row.getInt(1)).isPositive();
            }
        }
    }

    /** The number of jobs in all ranges, and the distance between their first and last ids. */
    private record Ranges(int jobs, int distance) {}

    private Ranges ranges() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT SUM(jobs), SUM(last_id - GREATEST(starts_after, (SELECT MIN(id) - 1 FROM pawl_lane_job)))"
                                + " FROM pawl_lane_range")) {
            row.next();
            return new Ranges(row.getInt(1), row.getInt(2));
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String text(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
