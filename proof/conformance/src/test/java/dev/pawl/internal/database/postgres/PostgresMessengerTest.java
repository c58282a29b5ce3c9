package dev.pawl.internal.database.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class PostgresMessengerTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final Set<String> received = ConcurrentHashMap.newKeySet();
    private final AtomicInteger refusals = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();

    /** {@return a pool that is exhausted as often as the test wants} */
    private DataSource exhausted(DataSource pool) {
        return (DataSource) Proxy.newProxyInstance(
                PostgresMessengerTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("getConnection") && refusals.getAndDecrement() > 0) {
                        refused.incrementAndGet();
                        throw new SQLTransientConnectionException("the pool is exhausted");
                    }
                    try {
                        return method.invoke(pool, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static PostgresDialect dialect(DataSource pool) throws Exception {
        try (Connection connection = pool.getConnection()) {
            return new PostgresDialect(connection.getMetaData().getDatabaseProductVersion(), "pawl_");
        }
    }

    private PostgresListener listening(DataSource pool) {
        PostgresListener listener = new PostgresListener(pool, "pawl_jobs", received::add, PostgresListener.CHECK);
        listener.start();
        await().atMost(SOON).until(listener::isConnected);
        return listener;
    }

    /** A suspended worker does not poll. */
    @Test
    void aFailedNotificationIsSentAsSoonAsPossible() throws Exception {
        try (TestDatabase database = TestServers.postgres().createDatabase();
                HikariDataSource pool = database.newDataSource(2);
                PostgresListener listener = listening(pool);
                PostgresMessenger messenger = new PostgresMessenger(exhausted(pool), dialect(pool), true)) {
            refusals.set(3);
            messenger.publish("mail");
            await().atMost(SOON).until(() -> received.contains("mail"));
            assertThat(refused).hasValue(3);
            assertThat(listener.isConnected()).isTrue();
        }
    }

    @Test
    void aPendingNotificationIsRetriedOnClose() throws Exception {
        try (TestDatabase database = TestServers.postgres().createDatabase();
                HikariDataSource pool = database.newDataSource(2);
                PostgresListener listener = listening(pool)) {
            PostgresMessenger messenger = new PostgresMessenger(exhausted(pool), dialect(pool), true);
            refusals.set(Integer.MAX_VALUE);
            messenger.publish("mail");
            await().atMost(SOON).until(() -> refused.get() >= 5); // the next retry is seconds later
            refusals.set(0);
            messenger.close();
            await().atMost(SOON).until(() -> received.contains("mail"));
            assertThat(listener.isConnected()).isTrue();
        }
    }
}
