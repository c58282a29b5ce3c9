package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No command creates tables on a server unless it is asked to, and then it says so. */
class CreateTest {
    @Test
    void tablesOfAServerAreCreatedOnlyOnRequest() throws Exception {
        try (TestDatabase database = TestServers.postgres().createDatabase()) {
            Program program = new Program(database.jdbcUrl());
            for (List<String> command : List.of(
                    List.of("enqueue", "greet", "{}"),
                    List.of("work", "--until-empty", "--handler", "greet=exec:true"),
                    List.of("demo", "--limit", "1"))) {
                Program.Result refused = program.run(command.toArray(String[]::new));
                assertThat(refused.exit()).as("%s", command).isEqualTo(2);
                assertThat(refused.err())
                        .as("%s", command)
                        .contains("there are no tables pawl_*", "'pawl migrate' first, or give --create");
            }
            for (List<String> command : List.of(
                    List.of("set", "limit", "queue", "q", "--at-once", "1"),
                    List.of("add", "schedule", "s", "greet", "--every", "1h"),
                    List.of("pause", "queue", "q"),
                    List.of("queues"))) {
                Program.Result refused = program.run(command.toArray(String[]::new));
                assertThat(refused.exit()).as("%s", command).isEqualTo(2);
                assertThat(refused.err())
                        .as("%s", command)
                        .contains("'pawl migrate' first")
                        .doesNotContain("--create");
            }
            assertThat(tables(database.jdbcUrl())).isZero();

            Program.Result created = program.run("enqueue", "greet", "{}", "--create");
            assertThat(created.exit()).isZero();
            assertThat(created.err()).contains("created the tables pawl_* in ", "version 1");
            assertThat(tables(database.jdbcUrl())).isPositive();
            assertThat(program.run("enqueue", "greet", "{}", "--create").err()).doesNotContain("created");
            assertThat(program.run("enqueue", "greet", "{}").exit()).isZero();
        }
    }

    private static int tables(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM pg_tables WHERE tablename LIKE 'pawl%'")) {
            row.next();
            return row.getInt(1);
        }
    }
}
