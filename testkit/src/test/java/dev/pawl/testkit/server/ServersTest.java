package dev.pawl.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.testkit.process.JavaProcess;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ServersTest {
    static Stream<Supplier<TestServer>> servers() {
        return Stream.of(TestServers::postgres, TestServers::mariaDb, TestServers::sqlite);
    }

    static Stream<Supplier<TestServer>> restartable() {
        return Stream.of(TestServers::newPostgres, TestServers::newMariaDb);
    }

    private static void execute(TestDatabase database, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long count(TestDatabase database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM t")) {
            row.next();
            return row.getLong(1);
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void databasesAreEmptyAndApart(Supplier<TestServer> server) throws SQLException {
        try (TestDatabase one = server.get().createDatabase();
                TestDatabase other = server.get().createDatabase()) {
            execute(one, "CREATE TABLE t (x int)");
            execute(one, "INSERT INTO t VALUES (1)");
            execute(other, "CREATE TABLE t (x int)");
            assertThat(count(one)).isEqualTo(1);
            assertThat(count(other)).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("restartable")
    void whatWasCommittedIsThereAfterKillAndStart(Supplier<TestServer> start) throws SQLException {
        try (TestServer server = start.get();
                TestDatabase database = server.createDatabase()) {
            execute(database, "CREATE TABLE t (x int)");
            execute(database, "INSERT INTO t VALUES (1)");
            server.kill();
            assertThatThrownBy(() -> count(database)).isInstanceOf(SQLException.class);
            server.start();
            assertThat(count(database)).isEqualTo(1);
        }
    }

    /** Starts a server and waits to be killed. */
    static final class Orphanage {
        public static void main(String[] arguments) throws Exception {
            try (TestServer server = TestServers.newPostgres();
                    TestDatabase database = server.createDatabase()) {
                System.out.println("url " + database.jdbcUrl() + " end");
                Thread.currentThread().join();
            }
        }
    }

    @Test
    void aServerDiesWithTheProcessThatStartedItEvenByKill() {
        try (JavaProcess parent = JavaProcess.start(Orphanage.class, Map.of())) {
            parent.awaitOutput(" end", Duration.ofSeconds(60));
            String url = parent.output().replaceAll("(?s).*url (\\S+) end.*", "$1");
            TestDatabase database = new TestDatabase(url, () -> {});
            assertThat(isUp(database)).isTrue();
            parent.kill();
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> !isUp(database));
        }
    }

    private static boolean isUp(TestDatabase database) {
        try (Connection connection = DriverManager.getConnection(database.jdbcUrl())) {
            return connection.isValid(2);
        } catch (SQLException down) {
            return false;
        }
    }
}
