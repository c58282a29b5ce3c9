package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LaravelCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private Program program = new Program("");

    @BeforeEach
    void createTable() throws SQLException {
        program = Program.onFile(folder);
        execute(
                "CREATE TABLE jobs (id integer PRIMARY KEY AUTOINCREMENT, queue varchar(255), payload text,"
                        + " attempts int, reserved_at int, available_at int, created_at int)",
                // The figure of the study: job 1 expired, 2 and 3 reserved, 4 to 8 available, 9 delayed.
                "INSERT INTO jobs (queue, payload, attempts, reserved_at, available_at, created_at) VALUES"
                        + " ('default', '{}', 1, unixepoch() - 100, 0, 0),"
                        + " ('default', '{}', 1, unixepoch() - 10, 0, 0), ('default', '{}', 1, unixepoch(), 0, 0),"
                        + " ('default', '{}', 0, NULL, 0, 0), ('default', '{}', 0, NULL, 0, 0),"
                        + " ('default', '{}', 0, NULL, 0, 0), ('default', '{}', 0, NULL, 0, 0),"
                        + " ('default', '{}', 0, NULL, 0, 0), ('default', '{}', 0, NULL, unixepoch() + 100, 0)");
    }

    private void execute(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("test.db"));
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Test
    void theStudysExampleTableIsCounted() {
        Program.Result report = program.run("laravel");
        assertThat(report.exit()).as(report.err()).isZero();
        List<String> lines = report.out().lines().toList();
        assertThat(lines.get(0).split(" +")).containsExactly("QUEUE", "AVAILABLE", "DELAYED", "RESERVED", "EXPIRED");
        assertThat(lines.get(1).split(" +")).containsExactly("default", "5", "1", "2", "1");
        assertThat(report.out()).contains("no index on queue", "expired jobs");
        assertThat(program.run("laravel", "--retry-after", "200", "--json").out())
                .contains("\"reserved\" : 3", "\"expired\" : 0");
    }

    @Test
    void theIndexIdentifiesTheVersion() throws SQLException {
        execute("CREATE INDEX jobs_queue_index ON jobs (queue)");
        assertThat(program.run("laravel").out()).contains("(queue), Laravel 5.5");
        execute("CREATE INDEX jobs_queue_reserved_at_index ON jobs (queue, reserved_at)");
        assertThat(program.run("laravel").out()).contains("Laravel 5.4 and earlier");
    }

    /** Patterns that deadlock on InnoDB do not elsewhere. */
    @Test
    void everyIndexCausesAWarningOnInnoDb() throws SQLException {
        try (TestDatabase database = TestServers.mariaDb().createDatabase();
                Connection connection = DriverManager.getConnection(database.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE jobs (id bigint PRIMARY KEY AUTO_INCREMENT, queue varchar(255), payload text,"
                            + " attempts tinyint unsigned, reserved_at int, available_at int, created_at int)");
            Map<String, String> warnings = new LinkedHashMap<>();
            warnings.put("queue", "delete of a finished job");
            warnings.put("queue, reserved_at", "replace it with an index on (queue)");
            warnings.put("queue, reserved_at, available_at", "even with SKIP LOCKED");
            for (Map.Entry<String, String> one : warnings.entrySet()) {
                statement.execute("CREATE INDEX jobs_index ON jobs (" + one.getKey() + ")");
                Program.Result report = new Program(database.jdbcUrl()).run("laravel");
                assertThat(report.out()).as(report.err()).contains(one.getValue());
                statement.execute("DROP INDEX jobs_index ON jobs");
            }
        }
    }

    @Test
    void innoDbWarningsAreNotShownForOthers() throws SQLException {
        for (String columns : List.of("queue", "queue, reserved_at", "queue, reserved_at, available_at")) {
            execute("CREATE INDEX jobs_index ON jobs (" + columns + ")");
            assertThat(program.run("laravel").out()).doesNotContain("deadlock");
            execute("DROP INDEX jobs_index");
        }
    }

    @Test
    void missingTablesAreNamed() {
        Program.Result report = program.run("laravel", "--table", "nowhere");
        assertThat(report.exit()).isNotZero();
        assertThat(report.err()).contains("nowhere").hasLineCount(1);
        assertThat(program.run("laravel", "--table", "x; DROP TABLE jobs").err())
                .contains("is not valid");
    }
}
