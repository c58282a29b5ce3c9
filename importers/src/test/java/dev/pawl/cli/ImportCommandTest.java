package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command's output and refusals. Reading each library's tables is tested against the libraries themselves, in {@code movein}. */
class ImportCommandTest {
    @TempDir
    private Path folder;

    private String url = "";

    private record Result(int exit, String out, String err) {}

    private Result run(String... arguments) {
        return runOn(url, arguments);
    }

    private static Result runOn(String database, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--db";
        all[arguments.length + 1] = database;
        int exit = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), all);
        return new Result(exit, out.toString(), err.toString());
    }

    @BeforeEach
    void tasks() throws SQLException {
        url = "jdbc:sqlite:" + folder.resolve("test.db");
        execute(
                "CREATE TABLE scheduled_tasks (task_name text, task_instance text, task_data blob, execution_time integer,"
                        + " picked integer, version integer, PRIMARY KEY (task_name, task_instance))");
        task("mail", "1", "'{\"to\": \"ada\"}'", 0);
        task("mail", "2", "'{\"to\": \"bob\"}'", 0);
        task("picture", "7", "x'00ff'", 0);
        task("mail", "3", "'{}'", 1);
        task("nightly", "recurring", "NULL", 0);
    }

    private void task(String name, String instance, String data, int picked) throws SQLException {
        execute("INSERT INTO scheduled_tasks VALUES ('" + name + "', '" + instance + "', " + data + ", 1700000000000, "
                + picked + ", 1)");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private int left() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM scheduled_tasks")) {
            return row.getInt(1);
        }
    }

    @Test
    void dryRunsShowResultsAndChangeNothing() throws SQLException {
        run("migrate");
        Result dry = run("import", "--from", "db-scheduler", "--map", "mail=mail.send", "--dry-run");
        assertThat(dry.exit()).isEqualTo(1);
        assertThat(dry.out())
                .contains("would be imported", "mail.send", "2023-11-14T22:13:20Z")
                .contains("picture/7", "neither JSON nor serialized Java")
                .contains("mail/3", "runs it now")
                .contains("nightly/recurring", "its schedule is in the program")
                .contains("would be imported: 2, already there: 0, left to schedules: 0, refused: 3");
        assertThat(left()).isEqualTo(5);
        assertThat(run("jobs").out()).contains("no jobs");
    }

    @Test
    void refusedRowsStayWithThePeer() throws SQLException {
        Result real =
                run("import", "--from", "db-scheduler", "--map", "mail=mail.send", "--base64", "--queue", "moved");
        assertThat(real.exit()).isEqualTo(1);
        assertThat(real.out()).contains("imported: 3, already there: 0, left to schedules: 0, refused: 2");
        assertThat(left()).isEqualTo(2);
        assertThat(run("jobs", "--queue", "moved", "--json").out())
                .contains("\"kind\" : \"mail.send\"", "\"payload\" : \"AP8=\"");
        execute("DELETE FROM scheduled_tasks");
        Result nothing = run("import", "--from", "db-scheduler");
        assertThat(nothing.exit()).isZero();
        assertThat(nothing.out()).contains("nothing waits in db-scheduler");
    }

    @Test
    void jsonHasTheCountsAndARowForEach() {
        run("migrate");
        String json = run("import", "--from", "db-scheduler", "--map", "mail=mail.send", "--dry-run", "--json")
                .out();
        assertThat(json)
                .contains("\"from\" : \"db-scheduler\"", "\"dryRun\" : true", "\"copy\" : false")
                .contains("\"imported\" : 2", "\"already\" : 0", "\"covered\" : 0", "\"refused\" : 3")
                .contains("\"kind\" : \"mail.send\"", "\"when\" : \"2023-11-14T22:13:20Z\"")
                .containsPattern("\"result\" : \"refused\"");
    }

    @Test
    void otherDatabasesRequireCopy() throws SQLException {
        String other = "jdbc:sqlite:" + folder.resolve("other.db");
        Result refused = runOn(other, "import", "--from", "db-scheduler", "--source", url);
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("--copy", "stop db-scheduler first");
        for (String counts : new String[] {"imported: 2, already there: 0", "imported: 0, already there: 2"}) {
            assertThat(runOn(other, "import", "--from", "db-scheduler", "--source", url, "--copy")
                            .out())
                    .contains(counts);
        }
        assertThat(left()).isEqualTo(5);
    }

    @Test
    void mistakesAreNamed() {
        assertThat(run("import").err()).contains("--from");
        assertThat(run("import", "--from", "celery").err())
                .contains("'celery' is not valid: use quartz, db-scheduler or jobrunr");
        assertThat(run("import", "--from", "quartz", "--source-tables", "a;b").err())
                .contains("--source-tables a;b is not valid");
        assertThat(run("import", "--from", "db-scheduler", "--source-zone", "Mars")
                        .err())
                .contains("--source-zone Mars is not a time zone");
        Result none = run("import", "--from", "quartz");
        assertThat(none.exit()).isEqualTo(2);
        assertThat(none.err()).contains("cannot import from quartz", "--source-tables");
        Result odd = run("import", "--from", "db-scheduler", "--map", "mail=no kind");
        assertThat(odd.exit()).isEqualTo(1);
        assertThat(odd.out()).contains("mail/1", "kind 'no kind' is not valid");
    }
}
