package dev.pawl.lab.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.servers.Durability;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An external database is unchanged after the lab has used it. */
class ExternalTargetTest {
    @TempDir
    private Path folder = Path.of(".");

    @Test
    void onPostgresItUsesItsOwnSchema() throws Exception {
        leavesNothing(TestServers.postgres(Durability.DISK), "SELECT nspname FROM pg_namespace");
    }

    @Test
    void onMariaDbItUsesItsOwnDatabase() throws Exception {
        leavesNothing(TestServers.mariaDb(Durability.DISK), "SHOW DATABASES LIKE 'pawl\\_lab\\_%'");
    }

    /** One server plays both nodes, because on a cluster the second node has the trial's database, too. */
    @Test
    void nodesOfAClusterShareTheDatabaseOfATrial() throws Exception {
        try (TestDatabase theirs = TestServers.mariaDb(Durability.DISK).createDatabase()) {
            Target target = Target.of(theirs.jdbcUrl() + " " + theirs.jdbcUrl());
            assertThat(target.product()).isEqualTo("mariadb");
            assertThat(target.name()).contains(" + ").doesNotContain("password").doesNotContain("user=");
            assertThat(target.location().place()).isEqualTo(ServerLocation.Place.UNKNOWN);
            try (Scratch scratch = target.scratch();
                    HikariDataSource first = scratch.pool(1);
                    HikariDataSource second = scratch.pool(1, 1);
                    HikariDataSource third = scratch.pool(1, 2)) {
                assertThat(scratch.nodes()).hasSize(2);
                for (HikariDataSource pool : List.of(first, second, third)) {
                    try (Connection connection = pool.getConnection()) {
                        assertThat(connection.getCatalog()).startsWith("pawl_lab_");
                    }
                }
            }
        }
        assertThatThrownBy(() -> Target.of("jdbc:mysql://a/x jdbc:mariadb://b/x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("one cluster");
    }

    private static void leavesNothing(TestServer server, String places) throws Exception {
        try (TestDatabase theirs = server.createDatabase();
                Connection connection = DriverManager.getConnection(theirs.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE jobs (precious int)");
            statement.execute("INSERT INTO jobs VALUES (42)");
            List<String> before = texts(statement, places);
            Target target = Target.of(theirs.jdbcUrl());
            assertThat(target.name()).doesNotContain("password").doesNotContain("user=");
            assertThat(target.location().place())
                    .isEqualTo(
                            Files.isDirectory(Path.of("/proc/self/fd"))
                                    ? ServerLocation.Place.LOCAL
                                    : ServerLocation.Place.UNKNOWN);
            try (Scratch scratch = target.scratch();
                    HikariDataSource pool = scratch.pool(2);
                    JobQueue queue = JobQueue.open(pool);
                    Connection own = pool.getConnection();
                    Statement there = own.createStatement()) {
                there.execute("CREATE TABLE jobs (id int)");
                assertThat(queue.admin().maintenance().diagnose()).isNotEmpty();
                assertThat(new ServerProbe(scratch, pool).variables()).isNotEmpty();
                assertThat(texts(statement, places)).hasSize(before.size() + 1);
            }
            assertThat(texts(statement, places)).isEqualTo(before);
            assertThat(texts(statement, "SELECT precious FROM jobs")).containsExactly("42");
        }
    }

    private static List<String> texts(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            List<String> texts = new ArrayList<>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return texts;
        }
    }

    @Test
    void onSqliteItUsesItsOwnFile() throws Exception {
        Path file = folder.resolve("theirs.db");
        Target target = Target.of("jdbc:sqlite:" + file);
        try (Scratch scratch = target.scratch();
                HikariDataSource pool = scratch.pool(2);
                JobQueue queue = JobQueue.open(pool)) {
            assertThat(queue.admin().maintenance().diagnose()).isNotEmpty();
            try (Stream<Path> files = Files.list(folder)) {
                assertThat(files)
                        .allMatch(one -> one.getFileName().toString().startsWith("pawl_lab_"))
                        .isNotEmpty();
            }
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void missingTlsIsNotReportedAsARefusedStatement() {
        try (TestDatabase database = TestServers.mariaDb().createDatabase()) {
            Target target = Target.of(database.jdbcUrl().replaceFirst("[?&]sslMode=\\w+", ""));
            assertThatThrownBy(target::scratch)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("cannot connect to mariadb://127.0.0.1:")
                    .hasMessageContaining("sslMode=disable")
                    .hasMessageNotContaining("refuses");
        }
    }

    @Test
    void unresponsiveServersAreNamedWithoutPassword() {
        Target target = Target.of("jdbc:mariadb://127.0.0.1:1/app?user=app&password=secret");
        assertThatThrownBy(target::scratch)
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("cannot connect to mariadb://127.0.0.1:1/app: ")
                .hasMessageNotContaining("secret");
    }
}
