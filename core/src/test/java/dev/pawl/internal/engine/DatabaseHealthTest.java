package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

class DatabaseHealthTest {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final AtomicLong now = new AtomicLong();
    private final DatabaseHealth health = new DatabaseHealth(
            "w",
            () -> " (jdbc:postgresql://host/jobs)",
            e -> "08001".equals(e.getSQLState()),
            (Logger) Proxy.newProxyInstance(
                    Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("warn") || method.getName().equals("info")) {
                            Object[] values = arguments.length == 2 && arguments[1] instanceof Object[] many
                                    ? many
                                    : new Object[] {arguments[1], arguments[2]};
                            lines.add(method.getName() + " "
                                    + MessageFormatter.arrayFormat((String) arguments[0], values)
                                            .getMessage());
                        }
                        return method.getReturnType() == boolean.class ? false : null;
                    }),
            now::get);

    private static SQLException away() {
        return new SQLException("pool is empty", "08001", new ConnectException("refused"));
    }

    @Test
    void anOutageIsOneLineWhenItBeginsAndOneWhenItIsOver() {
        for (String duty : List.of("claim jobs", "renew leases", "record outcomes", "claim jobs")) {
            assertThat(health.failed(duty, away())).isTrue();
        }
        assertThat(lines)
                .singleElement()
                .asString()
                .contains("warn w: the database (jdbc:postgresql://host/jobs) is unreachable or read-only")
                .contains("claim jobs")
                .contains("pool is empty")
                .contains("ConnectException: refused");
        assertThat(health.isLost()).isTrue();
        assertThat(health.lostFor()).isPresent();
        health.wrote(now.get());
        health.wrote(now.get());
        assertThat(lines).hasSize(2);
        assertThat(lines.get(1)).contains("info w: the database is back, after");
        assertThat(health.lostFor()).isEmpty();
    }

    @Test
    void outagesThatFollowWithinAMinuteAreCounted() {
        for (int i = 0; i < 3; i++) {
            health.failed("claim jobs", away());
            health.wrote(now.addAndGet(1));
        }
        assertThat(lines).hasSize(2);
        now.addAndGet(TimeUnit.MINUTES.toNanos(1) - 2);
        health.failed("claim jobs", away());
        health.wrote(now.addAndGet(1));
        assertThat(lines).hasSize(4);
        assertThat(lines.get(2)).contains("read-only again (short outages in the last minute: 2)");
    }

    @Test
    void outagesOfLongAgoAreNotCounted() {
        for (int i = 0; i < 2; i++) {
            health.failed("claim jobs", away());
            health.wrote(now.addAndGet(1));
        }
        now.addAndGet(TimeUnit.HOURS.toNanos(1));
        health.failed("claim jobs", away());
        assertThat(lines.get(2)).doesNotContain("again");
    }

    @Test
    void anOutageThatLastsIsLoggedAlthoughItFollowsAnother() {
        health.failed("claim jobs", away());
        health.wrote(now.addAndGet(1));
        health.failed("claim jobs", away());
        assertThat(lines).hasSize(2);
        now.addAndGet(TimeUnit.MINUTES.toNanos(1));
        health.failed("claim jobs", away());
        assertThat(lines).hasSize(3);
        assertThat(lines.get(2)).contains("warn w: the database").doesNotContain("again");
        health.wrote(now.addAndGet(1));
        assertThat(lines).hasSize(4);
    }

    /** The write was sent before the outage; only its reply came later. */
    @Test
    void aWriteThatWasSentBeforeItProvesNothing() {
        long sent = now.getAndAdd(1);
        health.failed("claim jobs", away());
        health.wrote(sent);
        assertThat(health.isLost()).isTrue();
        assertThat(lines).hasSize(1);
    }

    @Test
    void errorsOtherThanOutagesAreLeftToTheCaller() {
        assertThat(health.failed("claim jobs", new SQLException("permission denied", "42501")))
                .isFalse();
        assertThat(health.failed("claim jobs", new StackOverflowError())).isFalse();
        assertThat(health.isLost()).isFalse();
        assertThat(lines).isEmpty();
    }

    @Test
    void aWrappedErrorIsJudgedByItsCause() {
        assertThat(health.failed("claim jobs", new IllegalStateException("framework", away())))
                .isTrue();
    }

    @Test
    void aWaitingThreadContinuesWhenTheDatabaseIsBack() throws Exception {
        health.failed("record outcomes", away());
        Thread waiting = new Thread(() -> {
            try {
                health.await(TimeUnit.HOURS.toNanos(1));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        waiting.start();
        PartsFixture.awaitWaiting(waiting);
        health.wrote(now.get());
        waiting.join();
    }
}
