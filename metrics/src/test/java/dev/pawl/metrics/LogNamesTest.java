package dev.pawl.metrics;

import static dev.pawl.metrics.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.JobType;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The log context that the library sets in every program. It is tested here, because the tests of this module have Logback, which supports
 * it.
 */
class LogNamesTest {
    private static final JobType<String> WORK = JobType.of("test.work", String.class);
    private static final Duration SOON = Duration.ofSeconds(60);

    @Test
    void handlerLogLinesContainJobAndKind() {
        Logger log = (Logger) LoggerFactory.getLogger("a.handler");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                HikariDataSource pool = database.newDataSource(4);
                JobQueue queue = JobQueue.open(pool)) {
            long first = queue.enqueue(WORK, "fails").jobId();
            long second = queue.enqueue(WORK, "fine").jobId();
            try (Worker worker = Worker.on(queue)
                    .concurrency(1)
                    .intercept((run, handler) -> {
                        log.error("around");
                        return handler.proceed();
                    })
                    .handle(WORK, (payload, run) -> {
                        log.error("inside");
                        if (payload.equals("fails")) {
                            throw new IllegalStateException("down");
                        }
                    })
                    .start()) {
                await().atMost(SOON).until(() -> worker.stats().completed() == 1);
            }
            assertThat(lines.list.subList(0, 4))
                    .extracting(ILoggingEvent::getMDCPropertyMap)
                    .containsExactly(names(first), names(first), names(second), names(second));
        } finally {
            log.detachAppender(lines);
        }
    }

    /** A job that takes longer than the time between two deployments restarts for ever. */
    @Test
    void theThirdInterruptionLogsAWarning() throws Exception {
        Logger log = (Logger) LoggerFactory.getLogger("dev.pawl.worker");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                HikariDataSource pool = database.newDataSource(4);
                JobQueue queue = JobQueue.open(pool)) {
            long id = queue.enqueue(WORK, "long").jobId();
            interrupt(queue);
            interrupt(queue);
            assertThat(warnings(lines)).isEmpty();
            interrupt(queue);
            assertThat(warnings(lines))
                    .singleElement()
                    .asString()
                    .startsWith("job " + id + " (test.work) has been interrupted 3 times because its worker stopped");
        } finally {
            log.detachAppender(lines);
        }
    }

    private static void interrupt(JobQueue queue) throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        Worker worker = Worker.on(queue)
                .handle(WORK, (payload, run) -> {
                    running.countDown();
                    new CountDownLatch(1).await();
                })
                .start();
        assertThat(running.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        worker.stop(Duration.ZERO);
    }

    private static List<String> warnings(ListAppender<ILoggingEvent> lines) {
        return List.copyOf(lines.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains("has been interrupted"))
                .toList();
    }

    @Test
    void logContextDoesNotLeakToTheNextJob() {
        List<Map<String, String>> seen = new CopyOnWriteArrayList<>();
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                HikariDataSource pool = database.newDataSource(4);
                JobQueue queue = JobQueue.open(pool)) {
            long first = queue.enqueue(WORK, "first").jobId();
            long second = queue.enqueue(WORK, "second").jobId();
            try (Worker worker = Worker.on(queue)
                    .concurrency(1)
                    .handle(WORK, (payload, run) -> {
                        seen.add(Map.copyOf(MDC.getCopyOfContextMap()));
                        MDC.put("customer", payload);
                    })
                    .start()) {
                await().atMost(SOON).until(() -> worker.stats().completed() == 2);
            }
            assertThat(seen).containsExactly(names(first), names(second));
        }
    }

    private static Map<String, String> names(long job) {
        return Map.of("pawl.job.id", Long.toString(job), "pawl.job.kind", "test.work");
    }
}
