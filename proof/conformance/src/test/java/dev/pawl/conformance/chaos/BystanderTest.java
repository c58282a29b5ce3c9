package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.Admin;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.conformance.Drawn;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import dev.pawl.servers.process.JavaProcess;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What happens to the jobs of a worker that dies, for example because of one of its other jobs. */
@Drawn(number = 2, of = 11, run = 1, all = "PAWL_KILLS")
@Execution(ExecutionMode.CONCURRENT)
class BystanderTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    /** A live worker keeps a lease of this length even on a busy machine. */
    private static final String SAFE_LEASE = "PT10S";
    /** The lease of workers that die and whose jobs have attempts left. */
    private static final String SHORT = "PT3S";

    private static final Pattern BEGUN = Pattern.compile("begins (\\d+);");
    private static final int SLOW = 700;

    private static List<Job> slow(JobQueue queue) {
        return queue.admin()
                .jobs()
                .list(JobFilter.ALL.kind(BystanderWorker.SLOW.kind()).limit(1000));
    }

    private static long running(JobQueue queue) {
        return slow(queue).stream()
                .filter(job -> job.state() == JobState.RUNNING)
                .count();
    }

    private static Set<Long> begun(JavaProcess worker) {
        return BEGUN.matcher(worker.output())
                .results()
                .map(found -> Long.parseLong(found.group(1)))
                .collect(Collectors.toSet());
    }

    /** Regression: 663 of 688 jobs were discarded as "its only attempt failed", though no handler had run them. */
    private static void killAWorkerWithAFullBuffer(TestServer server) throws Exception {
        try (TestDatabase database = server.createDatabase();
                HikariDataSource pool = database.newDataSource(6);
                JobQueue queue = JobQueue.open(pool)) {
            queue.enqueueAll(BystanderWorker.QUICK, Collections.nCopies(3000, "q"));
            queue.enqueueAll(
                    BystanderWorker.SLOW,
                    Collections.nCopies(SLOW, "s"),
                    each -> EnqueueOptions.DEFAULTS.maxAttempts(1));
            Set<Long> begun;
            try (JavaProcess worker =
                    JavaProcess.start(BystanderWorker.class, Map.of(), database.jdbcUrl(), SAFE_LEASE)) {
                await().atMost(SOON).until(() -> begun(worker).size() == 10 && running(queue) > 10);
                worker.kill();
                begun = begun(worker);
            }
            try (Worker rescuer = Worker.on(queue)
                    .handle(JobType.of("other", String.class), (what, run) -> {})
                    .start()) {
                await().atMost(SOON).until(() -> running(queue) == 0);
                assertThat(rescuer.stats().rescued()).isGreaterThan(10);
            }
            int unseen = 0;
            for (Job job : slow(queue)) {
                boolean isDiscarded = job.state() == JobState.DISCARDED;
                assertThat(job.state()).isIn(JobState.DISCARDED, JobState.AVAILABLE);
                assertThat(job.attempt()).isEqualTo(isDiscarded ? 1 : 0);
                assertThat(isDiscarded || !begun.contains(job.id())).isTrue();
                unseen += isDiscarded && !begun.contains(job.id()) ? 1 : 0;
            }
            assertThat(unseen)
                    .as("jobs whose start was logged, but not printed yet")
                    .isLessThan(3);
        }
    }

    @Test
    @Drawn(number = 0, of = 4, run = 1, all = "PAWL_KILLS")
    void jobsThatHadNotBegunLoseNoAttemptOnSqlite() throws Exception {
        killAWorkerWithAFullBuffer(TestServers.sqlite());
    }

    @Test
    @Drawn(number = 1, of = 4, run = 1, all = "PAWL_KILLS")
    void jobsThatHadNotBegunLoseNoAttemptOnPostgres() throws Exception {
        killAWorkerWithAFullBuffer(TestServers.postgres());
    }

    @Test
    @Drawn(number = 2, of = 4, run = 1, all = "PAWL_KILLS")
    void jobsThatHadNotBegunLoseNoAttemptOnMariaDb() throws Exception {
        killAWorkerWithAFullBuffer(TestServers.mariaDb());
    }

    @Test
    @EnabledIfEnvironmentVariable(named = "PAWL_TEST_MYSQL_URL", matches = "jdbc:.*")
    @Drawn(number = 3, of = 4, run = 1, all = "PAWL_KILLS")
    void jobsThatHadNotBegunLoseNoAttemptOnMySql() throws Exception {
        killAWorkerWithAFullBuffer(TestServers.mySql().orElseThrow());
    }

    @Test
    void aJobThatKillsItsProcessIsTheOnlyOneDiscarded() throws Exception {
        try (TestDatabase database = TestServers.postgres().createDatabase();
                HikariDataSource pool = database.newDataSource(6);
                JobQueue queue = JobQueue.open(pool)) {
            long poison = queue.enqueue(BystanderWorker.POISON, "p", EnqueueOptions.DEFAULTS.maxAttempts(4))
                    .jobId();
            queue.enqueueAll(
                    BystanderWorker.QUICK,
                    Collections.nCopies(1500, "q"),
                    each -> EnqueueOptions.DEFAULTS.maxAttempts(4));
            while (queue.admin().jobs().find(poison).orElseThrow().state() != JobState.DISCARDED) {
                try (JavaProcess worker =
                        JavaProcess.start(BystanderWorker.class, Map.of(), database.jdbcUrl(), SHORT)) {
                    await().atMost(SOON)
                            .until(() -> !worker.isAlive()
                                    || queue.admin()
                                                    .jobs()
                                                    .find(poison)
                                                    .orElseThrow()
                                                    .state()
                                            == JobState.DISCARDED);
                }
            }
            try (JavaProcess worker = JavaProcess.start(BystanderWorker.class, Map.of(), database.jdbcUrl(), SHORT)) {
                await().atMost(SOON)
                        .until(() ->
                                queue.admin().queues().list(Admin.UNLIMITED).isEmpty());
                assertThat(worker.isAlive()).isTrue();
            }
            assertThat(queue.admin().jobs().list(JobFilter.ALL.state(JobState.DISCARDED)))
                    .extracting(Job::id)
                    .containsExactly(poison);
            assertThat(queue.admin().runs().failedAttempts(poison, Admin.UNLIMITED))
                    .hasSize(4);
        }
    }

    /**
     * Small jobs come first, so that the worker claims up to a thousand jobs at once. A thousand of the large jobs that follow would not
     * fit its heap.
     */
    @Test
    void payloadsOfAMegabyteFitASmallHeap() throws Exception {
        try (TestDatabase database = TestServers.postgres().createDatabase();
                HikariDataSource pool = database.newDataSource(2);
                JobQueue queue = JobQueue.open(pool)) {
            queue.enqueueAll(BystanderWorker.QUICK, Collections.nCopies(500, "q"));
            String large = "x".repeat((1 << 20) - 10);
            for (int i = 0; i < 8; i++) {
                queue.enqueueAll(BystanderWorker.QUICK, Collections.nCopies(10, large));
            }
            try (JavaProcess worker =
                    JavaProcess.startWithHeap("128m", BystanderWorker.class, database.jdbcUrl(), SAFE_LEASE)) {
                await().atMost(SOON)
                        .until(() ->
                                queue.admin().queues().list(Admin.UNLIMITED).isEmpty());
                assertThat(worker.isAlive()).isTrue();
            }
            assertThat(queue.admin()
                            .jobs()
                            .list(JobFilter.ALL.state(JobState.COMPLETED).limit(1000)))
                    .hasSize(580);
        }
    }
}
