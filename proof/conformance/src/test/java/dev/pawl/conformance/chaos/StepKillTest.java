package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.SignalResult;
import dev.pawl.conformance.Drawn;
import dev.pawl.servers.Delay;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import dev.pawl.servers.process.JavaProcess;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Processes are killed while their jobs take steps, sleep, and wait for signals that arrive at any time. The writes of each step must take
 * effect exactly once, no signal may be lost, and no job may wait forever.
 */
@Drawn(number = 4, of = 11, run = 1, all = "PAWL_KILLS")
@Execution(ExecutionMode.CONCURRENT)
class StepKillTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int JOBS = 40;
    private static final int KILLS = 4;

    private static void killOn(TestServer server) throws Exception {
        List<JavaProcess> workers = new ArrayList<>();
        try (TestDatabase database = server.createDatabase();
                HikariDataSource pool = database.newDataSource(3);
                JobQueue queue = JobQueue.open(pool)) {
            execute(
                    pool,
                    "CREATE TABLE travel (job_id bigint NOT NULL, what varchar(50) NOT NULL, ticket varchar(50) NOT NULL)");
            queue.enqueueAll(StepWorker.TRAVEL, IntStream.range(0, JOBS).boxed().toList());
            try {
                for (int i = 0; i < 2; i++) {
                    workers.add(start(database));
                }
                List<Long> toSignal = new ArrayList<>(queue.admin().jobs().list(JobFilter.ALL.limit(JOBS)).stream()
                        .map(Job::id)
                        .toList());
                Random random = new Random();
                for (int kill = 0; kill < KILLS; kill++) {
                    int victim = random.nextInt(workers.size());
                    workers.get(victim).awaitOutput(" works", SOON);
                    for (int i = 0; i < JOBS / KILLS; i++) {
                        Delay.random(random.nextInt(60));
                        long id = toSignal.remove(random.nextInt(toSignal.size()));
                        assertThat(queue.signal(id, StepWorker.GO, "go " + id)).isEqualTo(SignalResult.DELIVERED);
                    }
                    workers.get(victim).close();
                    workers.set(victim, start(database));
                }
                await().atMost(SOON)
                        .until(() -> queue.admin()
                                        .jobs()
                                        .list(JobFilter.ALL
                                                .state(JobState.COMPLETED)
                                                .limit(JOBS))
                                        .size()
                                == JOBS);
            } finally {
                workers.forEach(JavaProcess::close);
            }
            long steps = StepWorker.STEPS + 1L;
            assertThat(number(pool, "SELECT COUNT(*) FROM travel")).isEqualTo(JOBS * steps);
            assertThat(number(pool, "SELECT COUNT(*) FROM (SELECT job_id, what FROM travel GROUP BY job_id, what) t"))
                    .isEqualTo(JOBS * steps);
            assertThat(number(
                            pool, "SELECT COUNT(*) FROM (SELECT job_id, ticket FROM travel GROUP BY job_id, ticket) t"))
                    .as("a ticket is drawn once")
                    .isEqualTo(JOBS);
        }
    }

    private static void execute(HikariDataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long number(HikariDataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static JavaProcess start(TestDatabase database) {
        return JavaProcess.start(StepWorker.class, Map.of(), database.jdbcUrl());
    }

    @Test
    @Drawn(number = 0, of = 2, run = 1, all = "PAWL_KILLS")
    void stepsOnPostgres() throws Exception {
        killOn(TestServers.postgres());
    }

    @Test
    @Drawn(number = 1, of = 2, run = 1, all = "PAWL_KILLS")
    void stepsOnMariaDb() throws Exception {
        killOn(TestServers.mariaDb());
    }
}
