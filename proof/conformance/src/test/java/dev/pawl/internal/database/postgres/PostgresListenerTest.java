package dev.pawl.internal.database.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.JobQueueBuilder;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobType;
import dev.pawl.conformance.chaos.SilentProxy;
import dev.pawl.internal.wake.WakeHub;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

class PostgresListenerTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Pattern PORT = Pattern.compile("://[^/:?]+:(\\d+)/");

    /** Sends until a message is received: there may be short times without a listener. */
    private static void untilHeard(DataSource direct, Set<String> heard, String queue) {
        await().atMost(SOON).until(() -> {
            tell(direct, "c", queue);
            return heard.contains(queue);
        });
    }

    private static List<String> messagesOf(HikariDataSource pool, JobQueueBuilder options) throws Exception {
        List<String> heard = new ArrayList<>();
        try (JobQueue queue = options.open();
                Connection listening = pool.getConnection();
                Connection connection = pool.getConnection()) {
            try (Statement statement = listening.createStatement()) {
                statement.execute("LISTEN pawl_jobs");
            }
            connection.setAutoCommit(false);
            for (String name : List.of("rolled-back", "committed")) {
                queue.within(connection)
                        .enqueue(JobType.of("k", String.class), "x", EnqueueOptions.DEFAULTS.queue(name));
                if (name.equals("committed")) {
                    connection.commit();
                } else {
                    connection.rollback();
                }
            }
            connection.setAutoCommit(true);
            tell(pool, "pawl_jobs", "last"); // messages arrive in the order of the commits
            PGConnection postgres = listening.unwrap(PGConnection.class);
            long deadline = System.nanoTime() + SOON.toNanos();
            while (!heard.contains("last")) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                PGNotification[] received = postgres.getNotifications(100);
                for (PGNotification notification : received == null ? new PGNotification[0] : received) {
                    heard.add(notification.getParameter());
                }
            }
            try (Statement statement = listening.createStatement()) {
                statement.execute("UNLISTEN *");
            }
        }
        return List.copyOf(heard);
    }

    @Test
    void aTransactionNotifiesAsItCommitsUnlessItMustNot() throws Exception {
        try (TestDatabase database = TestServers.postgres().createDatabase();
                HikariDataSource pool = database.newDataSource(5)) {
            assertThat(messagesOf(pool, JobQueue.builder(pool))).containsExactly("committed", "last");
            assertThat(messagesOf(pool, JobQueue.builder(pool).notifyInTransactions(false)))
                    .containsExactly("last");
        }
    }

    private static void tell(DataSource direct, String channel, String queue) throws SQLException {
        try (Connection connection = direct.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_notify('" + channel + "', '" + queue + "')");
        }
    }

    @Test
    void aDeadConnectionIsReplaced() throws Exception {
        try (TestDatabase database = TestServers.postgres().createDatabase();
                HikariDataSource direct = database.newDataSource(1)) {
            Matcher port = PORT.matcher(database.jdbcUrl());
            assertThat(port.find()).isTrue();
            Set<String> heard = ConcurrentHashMap.newKeySet();
            try (SilentProxy proxy = new SilentProxy(Integer.parseInt(port.group(1)));
                    HikariDataSource pool =
                            new TestDatabase(proxy.instead(database.jdbcUrl()), () -> {}).newDataSource(3);
                    PostgresListener listener = new PostgresListener(pool, "c", heard::add, Duration.ofMillis(300))) {
                pool.setValidationTimeout(250); // otherwise it waits for each of the dropped connections
                listener.start();
                untilHeard(direct, heard, "before");
                await().atMost(SOON).until(listener::hears); // its first check has ended as well
                assertThat(proxy.forgetConnections()).isPositive();
                untilHeard(direct, heard, "after");
            }
        }
    }

    /** Otherwise a dead one would stay unnoticed. */
    @Test
    void aBorrowedConnectionWithoutKeepaliveIsCheckedEvenWhenSilent() throws Exception {
        try (TestDatabase database = TestServers.postgres().createDatabase();
                HikariDataSource direct = database.newDataSource(1)) {
            Matcher port = PORT.matcher(database.jdbcUrl());
            assertThat(port.find()).isTrue();
            Set<String> heard = ConcurrentHashMap.newKeySet();
            try (SilentProxy proxy = new SilentProxy(Integer.parseInt(port.group(1)));
                    HikariDataSource pool =
                            new TestDatabase(proxy.instead(database.jdbcUrl()), () -> {}).newDataSource(3);
                    PostgresListener listener =
                            new PostgresListener(hidden(pool), "c", heard::add, Duration.ofMillis(300))) {
                pool.setValidationTimeout(250);
                listener.silent(true);
                listener.start();
                untilHeard(direct, heard, "before");
                await().atMost(SOON).until(listener::hears); // its first check has ended as well
                assertThat(proxy.forgetConnections()).isPositive();
                untilHeard(direct, heard, "after");
            }
        }
    }

    @Test
    void aPoolOfOneCanBeListenedBesideAndStaysFree() throws Exception {
        try (TestDatabase database = TestServers.postgres().createDatabase();
                HikariDataSource pool = database.newDataSource(1)) {
            Set<String> heard = ConcurrentHashMap.newKeySet();
            PostgresListener listener = new PostgresListener(pool, "c", heard::add, PostgresListener.CHECK);
            try (listener) {
                listener.start();
                untilHeard(pool, heard, "news"); // through the pool's only connection
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            }
            assertThat(listener.isRunning()).isFalse();
        }
    }

    @Test
    void aBorrowedConnectionIsBackWhenTheListenerIsClosed() throws Exception {
        try (TestDatabase database = TestServers.postgres().createDatabase();
                HikariDataSource pool = database.newDataSource(2)) {
            Set<String> heard = ConcurrentHashMap.newKeySet();
            PostgresListener listener = new PostgresListener(hidden(pool), "c", heard::add, PostgresListener.CHECK);
            try (listener) {
                listener.start();
                untilHeard(pool, heard, "news");
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isPositive();
            }
            assertThat(listener.isRunning()).isFalse();
            await().atMost(SOON).until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
        }
    }

    /** Regression: a worker received nothing after a failover, because its session with the former primary had survived. */
    @Test
    void aConnectionToAServerThatTakesNoWritesIsReplaced() throws Exception {
        try (TestDatabase database = TestServers.postgres().createDatabase();
                HikariDataSource pool = database.newDataSource(3)) {
            List<Connection> lent = new CopyOnWriteArrayList<>();
            DataSource watched = (DataSource) Proxy.newProxyInstance(
                    PostgresListenerTest.class.getClassLoader(),
                    new Class<?>[] {DataSource.class},
                    (proxy, method, args) -> {
                        Object result = method.invoke(pool, args);
                        if (result instanceof Connection connection) {
                            lent.add(connection);
                        }
                        return result;
                    });
            Set<String> heard = ConcurrentHashMap.newKeySet();
            AtomicInteger lost = new AtomicInteger();
            WakeHub.Ear ear = new WakeHub.Ear() {
                @Override
                public void heard(String queue) {
                    heard.add(queue);
                }

                @Override
                public void lost() {
                    lost.incrementAndGet();
                }
            };
            try (PostgresListener listener = new PostgresListener(watched, "c", ear, Duration.ofMillis(300))) {
                listener.start();
                await().atMost(SOON).until(listener::hears);
                try (Statement statement = lent.get(0).createStatement()) {
                    statement.execute("SET default_transaction_read_only = on");
                }
                await().atMost(SOON).until(() -> lost.get() > 0);
                await().atMost(SOON).until(listener::hears);
                untilHeard(pool, heard, "after");
            }
        }
    }

    /** A data source that hides its implementation. */
    private static DataSource hidden(DataSource pool) {
        return (DataSource) Proxy.newProxyInstance(
                PostgresListenerTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> method.invoke(pool, arguments));
    }

    @Test
    void anErrorOfACallbackDoesNotEndTheListener() throws Exception {
        try (TestDatabase database = TestServers.postgres().createDatabase();
                HikariDataSource pool = database.newDataSource(3)) {
            Set<String> heard = ConcurrentHashMap.newKeySet();
            AtomicInteger errors = new AtomicInteger();
            try (PostgresListener listener = new PostgresListener(
                    pool,
                    "c",
                    queue -> {
                        if (queue.equals("bad") && errors.getAndIncrement() == 0) {
                            throw new AssertionError("on purpose");
                        }
                        heard.add(queue);
                    },
                    PostgresListener.CHECK)) {
                listener.start();
                untilHeard(pool, heard, "good");
                await().atMost(SOON).until(() -> {
                    tell(pool, "c", "bad");
                    return errors.get() > 0;
                });
                untilHeard(pool, heard, "bad");
            }
        }
    }
}
