package dev.pawl.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.FrameworkTransactions;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobType;
import dev.pawl.conformance.chaos.SilentProxy;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.servers.Sql;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The library evicts a read-only connection from each supported pool, because no pool detects it. It evicts no other connection. */
class PoolFailoverTest {
    private static final JobType<String> GREET = JobType.of("greet", String.class);
    private static final int CONNECTIONS = 3;
    private static final int TRIES = 5;
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
                // An attempt removes one connection from the pool. The bound allows two attempts for each, in case the
                // pool hands out the same one again.
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
     * first server of the URL again. If that server accepted connections but refused statements, a worker committed nothing until the
     * server worked again.
     */
    @Test
    void aConnectionThatTheDriverHasReconnectedStaysInItsPool() throws Exception {
        try (TestDatabase database = MARIADB.createDatabase();
                HikariDataSource direct = database.newDataSource(1);
                JobQueue migrated = JobQueue.open(direct)) {
            assertThat(migrated.enqueue(GREET, "first").jobId()).isPositive();
            int refused = 0;
            // Nothing is refused if the pool checked the connection before the statement, and the driver reconnected
            // during that check.
            for (int tries = 0; tries < TRIES && refused == 0; tries++) {
                refused = refusedOnceReconnected(database.jdbcUrl());
            }
            assertThat(refused).isBetween(1, CONNECTIONS);
        }
    }

    private static int refusedOnceReconnected(String url) throws Exception {
        try (SilentProxy proxy = new SilentProxy(port(url));
                HikariDataSource pool = new TestDatabase(first(proxy, url), () -> {}).newDataSource(CONNECTIONS);
                JobQueue queue = JobQueue.builder(pool).migrate(false).open()) {
            Set<Connection> before = driversConnections(pool);
            proxy.forgetConnections();
            int refused = 0;
            while (refused <= CONNECTIONS && !isTaken(queue)) {
                refused++;
            }
            assertThat(driversConnections(pool)).isEqualTo(before);
            return refused;
        }
    }

    /** Regression: the transaction was lost, and the framework committed nothing, without an error. */
    @Test
    void aFrameworksTransactionThatIsLostBeforeItsCommitIsAnError() throws Exception {
        try (TestDatabase database = MARIADB.createDatabase();
                SilentProxy proxy = new SilentProxy(port(database.jdbcUrl()));
                HikariDataSource pool = new TestDatabase(
                                first(proxy, database.jdbcUrl()) + "&sessionVariables=sql_safe_updates=1", () -> {})
                        .newDataSource(1)) {
            Database direct = new Database(pool, Databases.dialect("mariadb", "pawl_"));
            int created = direct.<Integer>autocommit(connection -> update(connection, "CREATE TABLE written (id int)"));
            assertThat(created).isZero();
            Database managed = direct.withTransactions(new Framework(pool));
            assertThatThrownBy(() -> managed.once(connection -> {
                        int inserted = update(connection, "INSERT INTO written VALUES (1)");
                        proxy.forgetConnections();
                        return inserted;
                    }))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            lost -> assertThat(Fault.of(lost)).isEqualTo(Fault.RECONNECTED));
            assertThat(Sql.longOf("the server", database.jdbcUrl(), "SELECT COUNT(*) FROM written"))
                    .isZero();
        }
    }

    private static int update(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    /** Commits as frameworks do. */
    private record Framework(DataSource pool) implements FrameworkTransactions {
        @Override
        public @Nullable Connection surrounding() {
            return null;
        }

        @Override
        public void afterCommit(String queue, Runnable wake) {}

        @Override
        public void run(JobRun.TransactionWork work) throws Exception {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                try {
                    work.run(connection);
                } catch (Exception e) {
                    connection.rollback();
                    throw e;
                }
                connection.commit();
            }
        }
    }

    private static int port(String url) {
        Matcher server = SERVER.matcher(url);
        assertThat(server.find()).as(url).isTrue();
        return Integer.parseInt(server.group(1));
    }

    /** {@return a URL with a proxy as the first server, and the server itself as the second} */
    private static String first(SilentProxy proxy, String url) {
        return proxy.instead(url)
                        .replaceFirst("^jdbc:mariadb:", "jdbc:mariadb:sequential:")
                        .replaceFirst("(://[^/]+)/", "$1,127.0.0.1:" + port(url) + "/")
                + "&socketTimeout=2000";
    }

    /** {@return the driver's connections behind the pool's} */
    private static Set<Connection> driversConnections(DataSource pool) throws SQLException {
        Set<Connection> found = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Connection> all = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                Connection connection = pool.getConnection();
                all.add(connection);
                found.add(connection.unwrap(Connection.class));
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
