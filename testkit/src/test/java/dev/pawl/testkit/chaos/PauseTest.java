package dev.pawl.testkit.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.Job;
import dev.pawl.JobFilter;
import dev.pawl.JobQueue;
import dev.pawl.JobState;
import dev.pawl.Worker;
import dev.pawl.testkit.process.JavaProcess;
import dev.pawl.testkit.server.TestDatabase;
import dev.pawl.testkit.server.TestServer;
import dev.pawl.testkit.server.TestServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A process that is stopped (SIGSTOP) for longer than its lease and goes on (SIGCONT) believing that it still works. */
@Execution(ExecutionMode.CONCURRENT)
class PauseTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    private static void pauseAWorkerOn(TestServer server) throws Exception {
        try (TestDatabase database = server.createDatabase();
                HikariDataSource pool = database.newDataSource(6);
                JobQueue queue = JobQueue.open(pool);
                JavaProcess paused = JavaProcess.start(PausedWorker.class, Map.of(), database.jdbcUrl())) {
            queue.enqueueAll(PausedWorker.SLOW, List.of("writer", "plain"));
            paused.awaitOutput("begins writer", SOON);
            paused.awaitOutput("begins plain", SOON);
            paused.pause();
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
            List<Job> jobs = queue.admin().list(JobFilter.ALL);
            assertThat(jobs).hasSize(2).allSatisfy(job -> {
                assertThat(job.state()).isEqualTo(JobState.COMPLETED);
                assertThat(job.attempt()).isEqualTo(2);
            });
        }
    }

    @Test
    void aPausedWorkerIsRefusedOnSqlite() throws Exception {
        pauseAWorkerOn(TestServers.sqlite());
    }

    @Test
    void aPausedWorkerIsRefusedOnPostgres() throws Exception {
        pauseAWorkerOn(TestServers.postgres());
    }

    @Test
    void aPausedWorkerIsRefusedOnMariaDb() throws Exception {
        pauseAWorkerOn(TestServers.mariaDb());
    }

    @Test
    @EnabledIfEnvironmentVariable(named = "PAWL_TEST_MYSQL_URL", matches = "jdbc:.*")
    void aPausedWorkerIsRefusedOnMySql() throws Exception {
        pauseAWorkerOn(TestServers.mySql().orElseThrow());
    }
}
