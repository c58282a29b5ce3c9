package dev.pawl.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Batch;
import dev.pawl.JobHandle;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.api.Handlers;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/guides/batches.md. */
class BatchesTest {
    private static final JobType<String> MAIL = JobType.of("mail", String.class);
    private static final JobType<String> CUT = JobType.of("import.cut", String.class);
    private static final JobType<String> READ = JobType.of("import.read", String.class);
    private static final JobType<String> SUM = JobType.of("import.sum", String.class);
    private static final JobType<String> ALERT = JobType.of("import.alert", String.class);
    private static final JobType<String> CLEAN_UP = JobType.of("import.clean-up", String.class);

    private static int read(String part) {
        return part.length();
    }

    private static List<String> partsOf(String file) {
        return List.of(file + "/1", file + "/2");
    }

    @Test
    void aBatchCallsBack(@TempDir Path folder) throws Exception {
        List<String> parts = List.of("a", "b", "c");
        String lastPart = "d";
        CountDownLatch summed = new CountDownLatch(1);
        try (JobQueue queue = DocsQueue.in(folder)) {
            Batch batch = queue.batch("customers.csv")
                    .onSuccess(SUM, "customers.csv") // when all have completed
                    .onFailed(ALERT, "customers.csv") // when the first is discarded
                    .onDone(CLEAN_UP, "customers.csv") // when all have ended, in any state
                    .open();
            batch.enqueueAll(READ, parts);
            batch.enqueue(READ, lastPart);
            batch.seal();
            Worker worker = Worker.on(queue)
                    .handle(READ, (part, run) -> {})
                    .handle(SUM, (name, run) -> {
                        Batch ended = queue.batch(run.job().callbackOf().orElseThrow());
                        assertThat(ended.info().orElseThrow().completed()).isEqualTo(4);
                        summed.countDown();
                    })
                    .handle(CLEAN_UP, (name, run) -> {})
                    .start();
            try (worker) {
                assertThat(summed.await(60, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(batch.info().orElseThrow().isSuccess()).isTrue();
        }
    }

    @Test
    void aJobAddsToItsBatch(@TempDir Path folder) throws Exception {
        try (JobQueue queue = DocsQueue.in(folder)) {
            WorkerBuilder builder = Worker.on(queue)
                    .handle(CUT, (file, run) -> queue.batch(run).orElseThrow().enqueueAll(READ, partsOf(file)));
            Batch batch = queue.batch("customers.csv").open();
            batch.enqueue(CUT, "customers.csv");
            batch.seal();
            try (Worker worker = builder.handle(READ, (part, run) -> {}).start()) {
                assertThat(worker.awaitIdle(Duration.ofSeconds(30))).isTrue();
            }
            assertThat(batch.info().orElseThrow().completed()).isEqualTo(3);
        }
    }

    @Test
    void aJobMakesABatchInOneTransaction(@TempDir Path folder) throws Exception {
        DataSource dataSource = DocsQueue.file(folder);
        try (JobQueue queue = JobQueue.open(dataSource)) {
            WorkerBuilder builder = Worker.on(queue).handle(CUT, (file, run) -> {
                Batch inner;
                try (Connection connection = dataSource.getConnection()) {
                    connection.setAutoCommit(false);
                    inner = queue.batch(run).orElseThrow().batch("part two").open(connection);
                    for (String part : partsOf(file)) {
                        inner.within(connection).enqueue(READ, part);
                    }
                    inner.seal(connection);
                    connection.commit();
                }
                run.result(inner.id());
            });
            Batch batch = queue.batch("customers.csv").open();
            long jobId = batch.enqueue(CUT, "customers.csv").jobId();
            batch.seal();
            try (Worker worker = builder.handle(READ, (part, run) -> {}).start()) {
                assertThat(worker.awaitIdle(Duration.ofSeconds(30))).isTrue();
            }
            long inner = queue.handle(jobId, Long.class).result().orElseThrow();
            assertThat(queue.batch(inner).info().orElseThrow().completed()).isEqualTo(2);
            assertThat(batch.info().orElseThrow().isSuccess()).isTrue();
        }
    }

    @Test
    void resultsAreAwaited(@TempDir Path folder) throws Exception {
        try (JobQueue queue = DocsQueue.in(folder)) {
            long jobId = queue.enqueue(READ, "four").jobId();
            WorkerBuilder builder = Worker.on(queue)
                    .handle(READ, Handlers.returning((part, run) -> read(part))); // or run.result(…) in any handler
            Worker worker = builder.start();
            try (worker) {
                JobHandle<Integer> handle = queue.handle(jobId, Integer.class); // in any process
                Optional<JobState> state = handle.await(Duration.ofMinutes(1));
                Optional<Integer> lines = handle.result();
                assertThat(state).contains(JobState.COMPLETED);
                assertThat(lines).contains(4);
            }
        }
    }

    @Test
    void someGoFirstAndABatchIsPaused(@TempDir Path folder) {
        List<String> addresses = List.of("anna", "ben");
        try (JobQueue queue = DocsQueue.in(folder)) {
            Batch mails = queue.batch("mails").canary(10).open();
            mails.enqueueAll(MAIL, addresses);
            mails.seal();
            long number = mails.id();
            mails.pause();
            assertThat(mails.info().orElseThrow().state()).isEqualTo("paused");
            queue.batch(number).pause(); // in any program, and 'pawl pause batch 17'
            queue.batch(number).resume();
            assertThat(mails.info().orElseThrow().state()).isEqualTo("canary");
        }
    }
}
