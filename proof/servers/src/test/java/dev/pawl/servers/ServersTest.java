package dev.pawl.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Features that every server supports, whether started by this library or not. */
class ServersTest {
    static Stream<Supplier<Optional<TestServer>>> servers() {
        return Stream.of(
                () -> Optional.of(TestServers.postgres()),
                () -> Optional.of(TestServers.mariaDb()),
                () -> Optional.of(TestServers.sqlite()),
                TestServers::mySql);
    }

    private static TestServer server(Supplier<Optional<TestServer>> supplier) {
        Optional<TestServer> server = supplier.get();
        assumeTrue(server.isPresent(), "no URL of a MySQL server is given");
        return server.orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("servers")
    void serversReportNameAndVersion(Supplier<Optional<TestServer>> supplier) throws SQLException {
        TestServer server = server(supplier);
        try (TestDatabase database = server.createDatabase();
                HikariDataSource pool = database.newDataSource(2);
                Connection connection = pool.getConnection()) {
            assertThat(Database.query(database.jdbcUrl(), "SELECT 1")).isEqualTo("1");
            assertThat(connection.getMetaData().getDatabaseProductName()).isEqualToIgnoringCase(server.name());
            assertThat(connection.getMetaData().getDatabaseProductVersion()).isEqualTo(server.version());
        }
    }

    @Test
    void theEmbeddedServersHaveTheVersionsOfTheirArchives() {
        assertThat(TestServers.postgres().version()).startsWith("18.6");
        assumeTrue(TestServers.mariaDb().canRestart(), "a MariaDB server is given");
        assertThat(TestServers.mariaDb().version()).startsWith("11.4.5");
    }

    @ParameterizedTest
    @MethodSource("servers")
    void newDatabasesAreEmptyAndSeparate(Supplier<Optional<TestServer>> supplier) throws SQLException {
        TestServer server = server(supplier);
        try (TestDatabase one = server.createDatabase();
                TestDatabase other = server.createDatabase()) {
            Database.execute(one.jdbcUrl(), "CREATE TABLE t (x int)");
            Database.execute(one.jdbcUrl(), "INSERT INTO t VALUES (1)");
            Database.execute(other.jdbcUrl(), "CREATE TABLE t (x int)");
            assertThat(Database.query(one.jdbcUrl(), "SELECT COUNT(*) FROM t")).isEqualTo("1");
            assertThat(Database.query(other.jdbcUrl(), "SELECT COUNT(*) FROM t"))
                    .isEqualTo("0");
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    @Timeout(30)
    void aDatabaseIsDroppedDespiteAnOpenTransaction(Supplier<Optional<TestServer>> supplier) throws SQLException {
        TestDatabase database = server(supplier).createDatabase();
        Database.execute(database.jdbcUrl(), "CREATE TABLE t (x int)");
        Connection forgotten = DriverManager.getConnection(database.jdbcUrl());
        forgotten.setAutoCommit(false);
        try (Statement statement = forgotten.createStatement()) {
            statement.execute("INSERT INTO t VALUES (1)");
        }
        database.close();
        assertThatThrownBy(() -> Database.query(database.jdbcUrl(), "SELECT COUNT(*) FROM t"))
                .isInstanceOf(SQLException.class);
        forgotten.abort(Runnable::run);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void restartIsRefusedIfUnsupported(Supplier<Optional<TestServer>> supplier) {
        TestServer server = server(supplier);
        assumeTrue(!server.canRestart(), "it can restart");
        assertThatThrownBy(server::kill).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(server::start).isInstanceOf(UnsupportedOperationException.class);
    }
}
