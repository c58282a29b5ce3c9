package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.conformance.Drawn;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.servers.Delay;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import dev.pawl.servers.process.JavaProcess;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A process that is stopped (SIGSTOP) for longer than its lease and resumes (SIGCONT) as if it still owned its jobs. */
@Drawn(number = 5, of = 11, run = 1, all = "PAWL_KILLS")
@Execution(ExecutionMode.CONCURRENT)
class PauseTest {
    private static final Duration SOON = Duration.ofSeconds(90);

    private static void pauseAWorkerOn(TestServer server) throws Exception {
        try (TestDatabase database = server.createDatabase();
                HikariDataSource pool = database.newDataSource(6);
                JobQueue queue = JobQueue.open(pool);
                JavaProcess paused = JavaProcess.start(PausedWorker.class, Map.of(), database.jdbcUrl())) {
            queue.enqueueAll(PausedWorker.SLOW, List.of("writer", "plain"));
            paused.awaitOutput("begins writer", SOON);
            paused.awaitOutput("begins plain", SOON);
            pauseBetweenWrites(paused, server, database);
            ConcurrentLinkedQueue<String> runs = new ConcurrentLinkedQueue<>();
            try (Worker other = Worker.on(queue)
                    .handle(PausedWorker.SLOW, (what, run) -> runs.add(what + run.attempt()))
                    .start()) {
                await().atMost(SOON).until(() -> other.stats().completed() == 2);
                paused.resume();
                for (String said : List.of(
                        "told writer true",
                        "told plain true",
                        "may not write",
                        "refused \"writer\"",
                        "refused \"plain\"")) {
                    paused.awaitOutput(said, SOON);
                }
                assertThat(other.awaitIdle(SOON)).isTrue();
            }
            assertThat(runs).containsExactlyInAnyOrder("writer2", "plain2");
            assertThat(paused.output()).doesNotContain("writes late");
            List<Job> jobs = queue.admin().jobs().list(JobFilter.ALL);
            assertThat(jobs).hasSize(2).allSatisfy(job -> {
                assertThat(job.state()).isEqualTo(JobState.COMPLETED);
                assertThat(job.attempt()).isEqualTo(2);
            });
        }
    }

    /**
     * Pauses the process between transactions. A process that is paused in a transaction would keep its rows locked, or on SQLite the file.
     */
    private static void pauseBetweenWrites(JavaProcess process, TestServer server, TestDatabase database)
            throws SQLException, InterruptedException {
        process.pause();
        while (!canBeWritten(server, database)) {
            process.resume();
            Delay.poll(20); // a commit gives no signal
            process.pause();
        }
    }

    private static boolean canBeWritten(TestServer server, TestDatabase database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute(server.product().shortLockTimeout());
            statement.executeUpdate("UPDATE pawl_job SET priority = priority");
            statement.executeUpdate("UPDATE pawl_lane_range SET jobs = jobs");
            return true;
        } catch (SQLException e) {
            if (Fault.of(e).isContention()) {
                return false;
            }
            throw e;
        }
    }

    @Test
    @Drawn(number = 0, of = 4, run = 1, all = "PAWL_KILLS")
    void aPausedWorkerIsRefusedOnSqlite() throws Exception {
        pauseAWorkerOn(TestServers.sqlite());
    }

    @Test
    @Drawn(number = 1, of = 4, run = 1, all = "PAWL_KILLS")
    void aPausedWorkerIsRefusedOnPostgres() throws Exception {
        pauseAWorkerOn(TestServers.postgres());
    }

    @Test
    @Drawn(number = 2, of = 4, run = 1, all = "PAWL_KILLS")
    void aPausedWorkerIsRefusedOnMariaDb() throws Exception {
        pauseAWorkerOn(TestServers.mariaDb());
    }

    @Test
    @EnabledIfEnvironmentVariable(named = "PAWL_TEST_MYSQL_URL", matches = "jdbc:.*")
    @Drawn(number = 3, of = 4, run = 1, all = "PAWL_KILLS")
    void aPausedWorkerIsRefusedOnMySql() throws Exception {
        pauseAWorkerOn(TestServers.mySql().orElseThrow());
    }
}
