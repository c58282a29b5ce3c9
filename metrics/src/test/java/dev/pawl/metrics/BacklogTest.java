package dev.pawl.metrics;

import static dev.pawl.metrics.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.Admin;
import dev.pawl.admin.QueueStats;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobType;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The autoscaler queries in docs/metrics return the same counts as the library. */
class BacklogTest {
    private static final JobType<String> WORK = JobType.of("test.work", String.class);
    private static final Duration SOON = Duration.ofSeconds(60);

    private static String read(String file) throws IOException {
        return Files.readString(FilesTest.docs().resolve("metrics").resolve(file));
    }

    /** {@return the SQL in a YAML file: the block below {@code query: |}} */
    private static String query(String yaml) {
        List<String> lines = yaml.lines().toList();
        int first = 0;
        while (!lines.get(first).strip().equals("query: |")) {
            first++;
        }
        int indent = lines.get(first + 1).indexOf('S');
        return lines.stream()
                .skip(first + 1)
                .takeWhile(line -> line.isBlank() || line.startsWith(" ".repeat(indent)))
                .collect(Collectors.joining("\n"));
    }

    private static List<Double> numbers(HikariDataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            assertThat(row.next()).isTrue();
            List<Double> numbers = new ArrayList<>();
            for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                numbers.add(row.getDouble(i));
            }
            assertThat(row.next()).isFalse();
            return numbers;
        }
    }

    /** Opens a lane, as a worker does when a priority gets many new jobs. */
    private static void openLane(JobQueue queue, HikariDataSource pool, int priority) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO pawl_lane (queue, priority) VALUES ('default', " + priority + ")");
        }
        String written = "SELECT COUNT(*) FROM pawl_lane_job WHERE lane IN (SELECT id FROM pawl_lane WHERE priority = "
                + priority + ")";
        await().atMost(SOON)
                .until(
                        () -> { // the queue learns of the new lane after a moment
                            queue.enqueue(WORK, "done", EnqueueOptions.DEFAULTS.priority(priority));
                            return numbers(pool, written).get(0) > 0;
                        });
        await().atMost(SOON)
                .until(() -> queue.admin().queues().list(Admin.UNLIMITED).stream()
                        .allMatch(each -> each.available() + each.running() == 0));
    }

    /** {@return the number of rows that MySQL or MariaDB reads for a query; it is small only if finished jobs are not read} */
    private static long rowsRead(HikariDataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            long before = rowsRead(statement);
            try (ResultSet rows = statement.executeQuery(sql)) {
                assertThat(rows.next()).isTrue();
            }
            return rowsRead(statement) - before;
        }
    }

    private static long rowsRead(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery("SHOW SESSION STATUS LIKE 'Handler_read%'")) {
            long read = 0;
            while (rows.next()) {
                read += rows.getLong(2);
            }
            return read;
        }
    }

    /**
     * While no worker runs, keyed jobs stay blocked. Each key of due blocked jobs counts as one job, so that a worker is started for them.
     */
    private static void blockedJobsStartAWorker(
            JobQueue queue, HikariDataSource pool, String backlog, @Nullable String keda) throws SQLException {
        for (String key : List.of("a", "a", "b")) {
            queue.enqueue(WORK, "done", EnqueueOptions.DEFAULTS.key(key));
        }
        EnqueueOptions later = EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1));
        queue.enqueue(WORK, "later", later.key("c"));
        queue.enqueue(WORK, "elsewhere", EnqueueOptions.DEFAULTS.queue("other").key("d"));
        assertThat(numbers(pool, backlog).get(3)).isEqualTo(2);
        if (keda != null) {
            assertThat(numbers(pool, keda)).containsExactly(2.0);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.metrics.Databases#all")
    void theQueriesMatchTheLibrarysCounts(Supplier<TestServer> server) throws Exception {
        CountDownLatch mayFinish = new CountDownLatch(1);
        try (TestDatabase database = server.get().createDatabase();
                HikariDataSource pool = database.newDataSource(6);
                JobQueue queue = JobQueue.open(pool)) {
            String product = database.jdbcUrl().split(":", -1)[1].replace("mariadb", "mysql");
            String backlog = read("backlog-" + product + ".sql");
            String keda = product.equals("sqlite") ? null : query(read("keda-" + product + ".yaml"));
            assertThat(numbers(pool, backlog)).containsExactly(0.0, 0.0, 0.0, 0.0);
            blockedJobsStartAWorker(queue, pool, backlog, keda);
            for (int i = 0; i < 30; i++) {
                queue.enqueue(WORK, "done");
            }
            queue.enqueueAll(WORK, Collections.nCopies(2_000, "done"));
            Worker worker = Worker.on(queue)
                    .concurrency(3)
                    .handle(WORK, (payload, run) -> {
                        if (payload.equals("waits")) {
                            mayFinish.await(300, TimeUnit.SECONDS);
                        }
                    })
                    .start();
            try (worker) {
                await().atMost(SOON).until(() -> worker.stats().completed() == 2_033);
                openLane(queue, pool, 5);
                for (int i = 0; i < 3; i++) {
                    queue.enqueue(WORK, "waits");
                }
                await().atMost(SOON).until(() -> worker.stats().running() == 3);
                queue.admin().queues().pause("default");
                for (int i = 0; i < 7; i++) {
                    queue.enqueue(WORK, "due");
                }
                queue.enqueue(WORK, "due, in a row of its own", EnqueueOptions.DEFAULTS.uniqueKey("one"));
                queue.enqueue(WORK, "due, in the other lane", EnqueueOptions.DEFAULTS.priority(5));
                queue.enqueue(WORK, "due, in the other lane", EnqueueOptions.DEFAULTS.priority(5));
                queue.enqueue(WORK, "later", EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)));
                queue.enqueue(WORK, "elsewhere", EnqueueOptions.DEFAULTS.queue("other"));
                QueueStats stats = queue.admin().queues().list(Admin.UNLIMITED).stream()
                        .filter(each -> each.name().equals("default"))
                        .findAny()
                        .orElseThrow();
                List<Double> counted = numbers(pool, backlog);
                assertThat(counted.get(0)).isEqualTo((double) stats.available()).isEqualTo(10);
                assertThat(counted.get(1)).isEqualTo((double) stats.running()).isEqualTo(3);
                double age = Objects.requireNonNull(stats.oldestAge()).toNanos() / 1e9;
                assertThat(counted.get(2)).isBetween(age, age + 60);
                if (product.equals("mysql")) {
                    assertThat(rowsRead(pool, backlog)).isLessThan(1_000);
                    assertThat(rowsRead(pool, Objects.requireNonNull(keda))).isLessThan(1_000);
                }
                if (keda != null) {
                    assertThat(numbers(pool, keda)).containsExactly(13.0);
                }
                mayFinish.countDown();
            }
        }
    }
}
