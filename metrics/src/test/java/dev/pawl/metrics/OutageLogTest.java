package dev.pawl.metrics;

import static dev.pawl.metrics.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.JobType;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A worker's log lines about an outage. They are tested here, because the tests of this module have Logback, whose lines they can read. */
class OutageLogTest {
    private static final JobType<String> WORK = JobType.of("test.outage", String.class);
    private static final Duration SOON = Duration.ofSeconds(60);

    /** Collects lines from all threads. */
    private static final class Lines extends AppenderBase<ILoggingEvent> {
        private final List<ILoggingEvent> lines = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent line) {
            if (line.getLevel().isGreaterOrEqual(Level.INFO)
                    && line.getFormattedMessage().startsWith("outage: ")) {
                lines.add(line);
            }
        }

        List<String> of(Level level) {
            return lines.stream()
                    .filter(line -> line.getLevel().equals(level))
                    .map(ILoggingEvent::getFormattedMessage)
                    .toList();
        }
    }

    private static DataSource whileNot(AtomicBoolean away, AtomicInteger refused, HikariDataSource pool) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (away.get() && method.getName().equals("getConnection")) {
                        refused.incrementAndGet();
                        throw new SQLException("the pool is empty", "08001", new ConnectException("refused"));
                    }
                    try {
                        return method.invoke(pool, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Regression test: an outage of 36 seconds logged 55 lines, none of which named the database or the problem. */
    @Test
    void outagesLogOneLineAtTheirBeginAndEnd() {
        Logger log = (Logger) LoggerFactory.getLogger("dev.pawl");
        Lines lines = new Lines();
        lines.start();
        log.addAppender(lines);
        Level before = log.getLevel();
        log.setLevel(Level.INFO);
        AtomicBoolean away = new AtomicBoolean();
        AtomicInteger refused = new AtomicInteger();
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                HikariDataSource pool = database.newDataSource(4);
                JobQueue real = JobQueue.open(pool);
                JobQueue queue = JobQueue.open(whileNot(away, refused, pool));
                Worker worker = Worker.on(queue)
                        .name("outage")
                        .pollInterval(Duration.ofMillis(50))
                        .handle(WORK, (payload, run) -> {})
                        .start()) {
            real.enqueue(WORK, "before");
            await().atMost(SOON).until(() -> worker.stats().completed() == 1);
            away.set(true);
            await().atMost(SOON).until(() -> refused.get() >= 12);
            assertThat(worker.databaseLostFor()).isPresent();
            away.set(false);
            real.enqueue(WORK, "after");
            await().atMost(SOON).until(() -> worker.stats().completed() == 2);
            await().atMost(SOON).until(() -> worker.databaseLostFor().isEmpty());
            assertThat(lines.of(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("is unreachable or read-only")
                    .contains("the pool is empty")
                    .contains("ConnectException: refused");
            await().atMost(SOON)
                    .until(() -> lines.of(Level.INFO).stream()
                                    .filter(line -> line.contains("the database is back, after"))
                                    .count()
                            == 1);
        } finally {
            log.setLevel(before);
            log.detachAppender(lines);
        }
    }
}
