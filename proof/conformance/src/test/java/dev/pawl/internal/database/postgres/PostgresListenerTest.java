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
    private static void untilReceived(DataSource direct, Set<String> received, String queue) {
        await().atMost(SOON).until(() -> {
            publish(direct, "c", queue);
            return received.contains(queue);
        });
    }

    private static List<String> messagesOf(HikariDataSource pool, JobQueueBuilder options) throws Exception {
        List<String> received = new ArrayList<>();
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
            publish(pool, "pawl_jobs", "last"); // messages arrive in the order of the commits
            PGConnection postgres = listening.unwrap(PGConnection.class);
            long deadline = System.nanoTime() + SOON.toNanos();
            while (!received.contains("last")) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                PGNotification[] notifications = postgres.getNotifications(100);
                for (PGNotification notification : notifications == null ? new PGNotification[0] : notifications) {
                    received.add(notification.getParameter());
                }
            }
            try (Statement statement = listening.createStatement()) {
                statement.execute("UNLISTEN *");
            }
        }
        return List.copyOf(received);
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

    private static void publish(DataSource direct, String channel, String queue) throws SQLException {
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
            Set<String> received = ConcurrentHashMap.newKeySet();
            try (SilentProxy proxy = new SilentProxy(Integer.parseInt(port.group(1)));
                    HikariDataSource pool =
                            new TestDatabase(proxy.instead(database.jdbcUrl()), () -> {}).newDataSource(3);
                    PostgresListener listener =
                            new PostgresListener(pool, "c", received::add, Duration.ofMillis(300))) {
                pool.setValidationTimeout(250); // otherwise the pool waits for each of the dropped connections
                listener.start();
                untilReceived(direct, received, "before");
                await().atMost(SOON).until(listener::isConnected); // the listener's first check has ended as well
                assertThat(proxy.forgetConnections()).isPositive();
                untilReceived(direct, received, "after");
            }
        }
    }

    /** Otherwise a dead connection would stay unnoticed. */
    @Test
    void aBorrowedConnectionWithoutKeepaliveIsCheckedEvenWhenSilent() throws Exception {
        try (TestDatabase database = TestServers.postgres().createDatabase();
                HikariDataSource direct = database.newDataSource(1)) {
            Matcher port = PORT.matcher(database.jdbcUrl());
            assertThat(port.find()).isTrue();
            Set<String> received = ConcurrentHashMap.newKeySet();
            try (SilentProxy proxy = new SilentProxy(Integer.parseInt(port.group(1)));
                    HikariDataSource pool =
                            new TestDatabase(proxy.instead(database.jdbcUrl()), () -> {}).newDataSource(3);
                    PostgresListener listener =
                            new PostgresListener(hidden(pool), "c", received::add, Duration.ofMillis(300))) {
                pool.setValidationTimeout(250);
                listener.suspendChecks(true);
                listener.start();
                untilReceived(direct, received, "before");
                await().atMost(SOON).until(listener::isConnected); // the listener's first check has ended as well
                assertThat(proxy.forgetConnections()).isPositive();
                untilReceived(direct, received, "after");
            }
        }
    }

    @Test
    void aPoolOfOneCanBeListenedBesideAndStaysFree() throws Exception {
        try (TestDatabase database = TestServers.postgres().createDatabase();
                HikariDataSource pool = database.newDataSource(1)) {
            Set<String> received = ConcurrentHashMap.newKeySet();
            PostgresListener listener = new PostgresListener(pool, "c", received::add, PostgresListener.CHECK);
            try (listener) {
                listener.start();
                untilReceived(pool, received, "news"); // through the pool's only connection
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            }
            assertThat(listener.isRunning()).isFalse();
        }
    }

    @Test
    void aBorrowedConnectionIsBackWhenTheListenerIsClosed() throws Exception {
        try (TestDatabase database = TestServers.postgres().createDatabase();
                HikariDataSource pool = database.newDataSource(2)) {
            Set<String> received = ConcurrentHashMap.newKeySet();
            PostgresListener listener = new PostgresListener(hidden(pool), "c", received::add, PostgresListener.CHECK);
            try (listener) {
                listener.start();
                untilReceived(pool, received, "news");
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
            Set<String> received = ConcurrentHashMap.newKeySet();
            AtomicInteger lost = new AtomicInteger();
            WakeHub.Receiver receiver = new WakeHub.Receiver() {
                @Override
                public void received(String queue) {
                    received.add(queue);
                }

                @Override
                public void lost() {
                    lost.incrementAndGet();
                }
            };
            try (PostgresListener listener = new PostgresListener(watched, "c", receiver, Duration.ofMillis(300))) {
                listener.start();
                await().atMost(SOON).until(listener::isConnected);
                try (Statement statement = lent.get(0).createStatement()) {
                    statement.execute("SET default_transaction_read_only = on");
                }
                await().atMost(SOON).until(() -> lost.get() > 0);
                await().atMost(SOON).until(listener::isConnected);
                untilReceived(pool, received, "after");
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
            Set<String> received = ConcurrentHashMap.newKeySet();
            AtomicInteger errors = new AtomicInteger();
            try (PostgresListener listener = new PostgresListener(
                    pool,
                    "c",
                    queue -> {
                        if (queue.equals("bad") && errors.getAndIncrement() == 0) {
                            throw new AssertionError("on purpose");
                        }
                        received.add(queue);
                    },
                    PostgresListener.CHECK)) {
                listener.start();
                untilReceived(pool, received, "good");
                await().atMost(SOON).until(() -> {
                    publish(pool, "c", "bad");
                    return errors.get() > 0;
                });
                untilReceived(pool, received, "bad");
            }
        }
    }
}
