package dev.pawl.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.JobType;
import dev.pawl.conformance.chaos.SilentProxy;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The library evicts a read-only connection from each supported pool, because no pool detects it; and only such a connection. */
class PoolFailoverTest {
    private static final JobType<String> GREET = JobType.of("greet", String.class);
    private static final int CONNECTIONS = 3;
    private static final Pattern SERVER = Pattern.compile("://[^/:?]+:(\\d+)/");
    private static final TestServer POSTGRES = TestServers.postgres();
    private static final TestServer MARIADB = TestServers.mariaDb();

    /** A pool: the name of its class, and the names of its setters. */
    private record Pool(String type, String url, String most) {
        static final List<Pool> ALL = List.of(
                new Pool("com.zaxxer.hikari.HikariDataSource", "setJdbcUrl", "setMaximumPoolSize"),
                new Pool("org.apache.commons.dbcp2.BasicDataSource", "setUrl", "setMaxTotal"),
                new Pool("org.apache.tomcat.jdbc.pool.DataSource", "setUrl", "setMaxActive"));

        DataSource open(String jdbcUrl) throws ReflectiveOperationException {
            DataSource pool = Class.forName(type)
                    .asSubclass(DataSource.class)
                    .getConstructor()
                    .newInstance();
            pool.getClass().getMethod(url, String.class).invoke(pool, jdbcUrl);
            pool.getClass().getMethod(most, int.class).invoke(pool, CONNECTIONS);
            return pool;
        }

        @Override
        public String toString() {
            return type;
        }
    }

    static Stream<Arguments> pools() {
        return Pool.ALL.stream()
                .flatMap(pool -> Stream.of(
                        Arguments.of(pool, POSTGRES, "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY"),
                        Arguments.of(pool, MARIADB, "SET SESSION TRANSACTION READ ONLY")));
    }

    private static void close(DataSource pool) throws ReflectiveOperationException {
        Method close = pool.getClass().getMethod("close");
        close.invoke(pool);
    }

    private static void onAll(DataSource pool, String sql) throws SQLException {
        List<Connection> all = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                Connection connection = pool.getConnection();
                all.add(connection);
                try (Statement statement = connection.createStatement()) {
                    statement.execute(sql);
                }
            }
        } finally {
            for (Connection connection : all) {
                connection.close();
            }
        }
    }

    @ParameterizedTest(autoCloseArguments = false) // the server is shared
    @MethodSource("pools")
    void aConnectionThatTakesNoWritesLeavesItsPool(Pool pool, TestServer server, String readOnly) throws Exception {
        try (TestDatabase database = server.createDatabase()) {
            DataSource connections = pool.open(database.jdbcUrl());
            try (JobQueue queue =
                    JobQueue.builder(connections).notifications(false).open()) {
                onAll(connections, readOnly);
                assertThatThrownBy(() -> queue.enqueue(GREET, "refused")).isInstanceOf(DatabaseException.class);
                boolean taken = false;
                // Each attempt costs the pool one connection, or two if it hands out the same one again.
                for (int tries = 0; tries < 2 * CONNECTIONS && !taken; tries++) {
                    taken = isTaken(queue);
                }
                assertThat(taken).isTrue();
                for (int i = 0; i < 2 * CONNECTIONS; i++) {
                    queue.enqueue(GREET, "taken");
                }
            } finally {
                close(connections);
            }
        }
    }

    /**
     * Regression: the connection was evicted although the driver had connected it to another server. The pool's next connection was to the
     * first server of the URL again. If that server accepts connections but refuses statements, a worker committed nothing until it worked
     * again.
     */
    @Test
    void aConnectionThatTheDriverHasReconnectedStaysInItsPool() throws Exception {
        try (TestDatabase database = MARIADB.createDatabase()) {
            Matcher server = SERVER.matcher(database.jdbcUrl());
            assertThat(server.find()).as(database.jdbcUrl()).isTrue();
            try (SilentProxy proxy = new SilentProxy(Integer.parseInt(server.group(1)))) {
                String url = proxy.instead(database.jdbcUrl())
                                .replaceFirst("^jdbc:mariadb:", "jdbc:mariadb:sequential:")
                                .replaceFirst("(://[^/]+)/", "$1,127.0.0.1:" + server.group(1) + "/")
                        + "&socketTimeout=2000";
                try (HikariDataSource direct = database.newDataSource(1);
                        JobQueue migrated = JobQueue.open(direct);
                        HikariDataSource pool = new TestDatabase(url, () -> {}).newDataSource(CONNECTIONS);
                        JobQueue queue = JobQueue.builder(pool).migrate(false).open()) {
                    assertThat(migrated.enqueue(GREET, "first").jobId()).isPositive();
                    Set<Connection> before = driversConnections(pool);
                    int refused = 0;
                    while (refused == 0) { // not refused if the pool has checked the connection before, and the driver
                        // reconnected then
                        proxy.forgetConnections();
                        while (!isTaken(queue)) {
                            refused++;
                            assertThat(refused).isLessThanOrEqualTo(CONNECTIONS);
                        }
                    }
                    assertThat(driversConnections(pool)).isEqualTo(before);
                }
            }
        }
    }

    /** {@return the driver's connections behind the pool's} */
    private static Set<Connection> driversConnections(DataSource pool) throws SQLException {
        Set<Connection> found = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Connection> all = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                Connection connection = pool.getConnection();
                all.add(connection);
                found.add(connection.unwrap(org.mariadb.jdbc.Connection.class));
            }
        } finally {
            for (Connection connection : all) {
                connection.close();
            }
        }
        return found;
    }

    private static boolean isTaken(JobQueue queue) {
        try {
            queue.enqueue(GREET, "taken");
            return true;
        } catch (DatabaseException e) {
            assertThat(e.isTransient()).isTrue();
            return false;
        }
    }
}
