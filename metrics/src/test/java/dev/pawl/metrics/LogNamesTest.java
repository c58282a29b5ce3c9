package dev.pawl.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.JobType;
import dev.pawl.Worker;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** What the library does in every program; here, because it takes a log that knows names. */
class LogNamesTest {
    private static final JobType<String> WORK = JobType.of("test.work", String.class);
    private static final Duration SOON = Duration.ofSeconds(60);

    @Test
    void eachLineOfAHandlerSaysItsJobAndKind() {
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

    @Test
    void whatAHandlerLeavesBehindIsNotSaidOfTheNextJob() {
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
