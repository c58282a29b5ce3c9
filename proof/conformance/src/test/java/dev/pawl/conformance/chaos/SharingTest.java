package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.JobType;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Slow jobs are shared by all workers. Regression: one worker took all 300, while four were idle. */
class SharingTest {
    private static final JobType<String> SLOW = JobType.of("slow", String.class);
    private static final int WORKERS = 5;
    private static final int HANDLERS = 10;
    private static final int JOBS = 300;

    private static void shareOn(TestServer server) throws Exception {
        try (TestDatabase database = server.createDatabase();
                HikariDataSource pool = database.newDataSource(20);
                JobQueue queue = JobQueue.open(pool)) {
            List<Worker> workers = new ArrayList<>();
            CountDownLatch allRun = new CountDownLatch(WORKERS * HANDLERS);
            try {
                for (int i = 0; i < WORKERS; i++) {
                    workers.add(Worker.on(queue)
                            .concurrency(HANDLERS)
                            .handle(SLOW, (what, run) -> {
                                allRun.countDown();
                                allRun.await(); // until each handler of each worker has a job
                            })
                            .start());
                }
                for (Worker worker : workers) { // waits until all five have started, which takes long on a busy machine
                    assertThat(worker.awaitIdle(Duration.ofSeconds(60))).isTrue();
                }
                queue.enqueueAll(SLOW, Collections.nCopies(JOBS, "s"));
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> workers.stream()
                                        .mapToLong(worker -> worker.stats().completed())
                                        .sum()
                                == JOBS);
                assertThat(workers)
                        .allSatisfy(
                                worker -> assertThat(worker.stats().claimed()).isGreaterThanOrEqualTo(HANDLERS));
            } finally {
                workers.forEach(Worker::close);
            }
        }
    }

    @Test
    void slowJobsAreSharedOnPostgres() throws Exception {
        shareOn(TestServers.postgres());
    }

    @Test
    void slowJobsAreSharedOnMariaDb() throws Exception {
        shareOn(TestServers.mariaDb());
    }

    @Test
    void slowJobsAreSharedOnSqlite() throws Exception {
        shareOn(TestServers.sqlite());
    }
}
