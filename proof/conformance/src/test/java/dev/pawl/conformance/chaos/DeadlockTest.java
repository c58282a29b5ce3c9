package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.Finding;
import dev.pawl.api.JobType;
import dev.pawl.api.Prefetch;
import dev.pawl.api.Strategy;
import dev.pawl.conformance.Draw;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the supported strategies under the load that makes the study's queue deadlock. */
class DeadlockTest {
    private static final JobType<Integer> NOTHING = JobType.of("nothing", Integer.class);
    private static final Duration SOON = Duration.ofSeconds(150);

    /** Not a shared server, because deadlocks are counted per server. */
    private static final TestServer server = TestServers.newMariaDb();

    @AfterAll
    static void stopServer() {
        server.close();
    }

    /** Slots are used together with a transaction of the handler, where a deadlock would cost the job an attempt. */
    @Test
    void slotsDoNotDeadlockOnMariaDb() throws Exception {
        try (TestDatabase database = server.createDatabase();
                HikariDataSource pool = database.newDataSource(20);
                JobQueue queue = JobQueue.open(pool)) {
            long before = status(pool, "Innodb_deadlocks");
            int jobs = Draw.isAll("PAWL_KILLS") ? 1_500 : 500;
            queue.enqueueAll(NOTHING, IntStream.range(0, jobs).boxed().toList());
            try (Worker worker = Worker.on(queue)
                    .concurrency(12)
                    .handle(
                            NOTHING,
                            queue.slots().series("numbers").around((number, run) -> run.transaction(connection -> {})))
                    .start()) {
                await().atMost(SOON).until(() -> worker.stats().completed() == jobs);
            }
            assertThat(status(pool, "Innodb_deadlocks") - before)
                    .as(() -> "deadlocks; the last one:\n" + lastDeadlock(pool))
                    .isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.conformance.TestedStrategies#contended")
    void noStrategyDeadlocksOnMariaDb(Strategy strategy) throws Exception {
        try (TestDatabase database = server.createDatabase();
                HikariDataSource pool = database.newDataSource(20);
                JobQueue queue = JobQueue.open(pool)) {
            long before = status(pool, "Innodb_deadlocks");
            drain(queue, strategy, 10, 1, 1_000); // one job per claim, ten workers: as in the study
            drain(queue, strategy, 3, 1000, 3_000);
            assertThat(status(pool, "Innodb_deadlocks") - before)
                    .as(() -> "deadlocks; the last one:\n" + lastDeadlock(pool))
                    .isZero();
        }
    }

    private static String lastDeadlock(HikariDataSource pool) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW ENGINE INNODB STATUS")) {
            row.next();
            return row.getString("Status").replaceAll("(?s).*LATEST DETECTED DEADLOCK|TRANSACTIONS\n.*", "");
        } catch (SQLException e) {
            return e.toString();
        }
    }

    /** A deadlock would block for the 50 seconds of the lock wait timeout. */
    @Test
    void theOptimisticStrategyWorksWithoutDeadlockDetectionAndWithOneConnection() throws Exception {
        try (TestServer own = TestServers.newMariaDb();
                TestDatabase database = own.createDatabase();
                HikariDataSource pool = database.newDataSource(1);
                JobQueue queue = JobQueue.open(pool)) {
            assertThat(warnings(queue)).doesNotContain("innodb_deadlock_detect");
            execute(pool, "SET GLOBAL innodb_deadlock_detect = OFF");
            assertThat(warnings(queue)).contains("innodb_deadlock_detect");
            drain(queue, Strategy.optimistic(10, Strategy.Pick.UNIFORM), 10, 1, 500);
            assertThat(status(pool, "Innodb_deadlocks")).isZero();
            assertThat(status(pool, "Innodb_row_lock_time_max"))
                    .as("milliseconds")
                    .isLessThan(5_000);
        }
    }

    private static List<String> warnings(JobQueue queue) {
        return queue.admin().maintenance().diagnose().stream()
                .filter(finding -> finding.level() == Finding.Level.WARNING)
                .map(Finding::topic)
                .toList();
    }

    private static void drain(JobQueue queue, Strategy strategy, int workers, int batch, int jobs) {
        queue.enqueueAll(NOTHING, IntStream.range(0, jobs).boxed().toList());
        List<Worker> started = new ArrayList<>();
        try {
            for (int i = 0; i < workers; i++) {
                started.add(Worker.on(queue)
                        .strategy(strategy)
                        .concurrency(Math.min(batch, 10))
                        .prefetch(Prefetch.DEFAULTS.batch(batch))
                        .handle(NOTHING, (number, run) -> {})
                        .start());
            }
            await().atMost(SOON)
                    .until(() -> started.stream()
                                    .mapToLong(worker -> worker.stats().completed())
                                    .sum()
                            == jobs);
        } finally {
            started.forEach(Worker::close);
        }
    }

    private static void execute(HikariDataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long status(HikariDataSource pool, String name) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW GLOBAL STATUS LIKE '" + name + "'")) {
            row.next();
            return row.getLong(2);
        }
    }
}
