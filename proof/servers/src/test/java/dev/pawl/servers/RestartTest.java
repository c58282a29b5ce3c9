package dev.pawl.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers that this library starts are killed, as by {@code kill -9}, and restarted. */
class RestartTest {
    static Stream<Supplier<TestServer>> servers() {
        return Stream.of(TestServers::newPostgres, TestServers::newMariaDb);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void exactlyTheCommittedRowsSurviveAKill(Supplier<TestServer> start) throws SQLException {
        try (TestServer server = start.get();
                TestDatabase database = server.createDatabase()) {
            String url = database.jdbcUrl();
            Database.execute(url, "CREATE TABLE t (x int)");
            for (int round = 1; round <= 3; round++) {
                Database.execute(url, "INSERT INTO t VALUES (1)");
                Connection open = DriverManager.getConnection(url);
                open.setAutoCommit(false);
                try (Statement statement = open.createStatement()) {
                    statement.execute("INSERT INTO t VALUES (2)");
                }
                server.kill();
                assertThat(Database.answers(url)).isFalse();
                assertThatThrownBy(open::commit).isInstanceOf(SQLException.class);
                server.start();
                assertThat(Database.query(url, "SELECT COUNT(*) FROM t")).isEqualTo(Integer.toString(round));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void startDoesNothingToARunningServer(Supplier<TestServer> start) throws SQLException {
        try (TestServer server = start.get();
                TestDatabase database = server.createDatabase();
                Connection connection = DriverManager.getConnection(database.jdbcUrl())) {
            server.start();
            assertThat(connection.isValid(5)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void killedServersCreateNoDatabaseAndClosedOnesDoNotStart(Supplier<TestServer> start) {
        TestServer server = start.get();
        server.kill();
        assertThatThrownBy(server::createDatabase)
                .isInstanceOf(ServerException.class)
                .hasMessageContaining("start it first");
        server.close();
        assertThatThrownBy(server::start).isInstanceOf(ServerException.class).hasMessageContaining("closed");
    }

    @ParameterizedTest
    @MethodSource("servers")
    void killKeepsTheDataAndCloseDeletesIt(Supplier<TestServer> start) {
        TestServer server = start.get();
        Path folder = ((LocalServer) server).folder();
        List<ProcessHandle> killed = Traces.processes(folder);
        server.kill();
        assertThat(killed).isNotEmpty().allMatch(ServerProcess::isGone);
        assertThat(folder).exists();
        server.start();
        List<ProcessHandle> closed = Traces.processes(folder);
        server.close();
        assertThat(closed).isNotEmpty().allMatch(ServerProcess::isGone);
        assertThat(folder.toFile()).doesNotExist();
    }

    @Test
    void killLeavesNoSharedMemoryOfPostgres() {
        try (TestServer server = TestServers.newPostgres()) {
            Optional<String> memory = Traces.sharedMemory(((LocalServer) server).folder());
            assumeTrue(memory.isPresent(), "the system does not list its shared memory");
            assertThat(memory).get().matches(Traces::sharedMemoryExists);
            server.kill();
            assertThat(memory.filter(Traces::sharedMemoryExists)).isEmpty();
        }
    }
}
