package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each error prints one clear line with the problem, its location and the remedy, sets an exit code, and leaves nothing half written. */
class BadInputTest {
    @TempDir
    private Path folder = Path.of("");

    private Program program = new Program("");

    @BeforeEach
    void createProgram() {
        program = Program.onFile(folder);
    }

    private static void refused(Program.Result result, int exit, String... parts) {
        assertThat(result.err()).contains(parts).doesNotContain("Exception").doesNotContain("\tat ");
        assertThat(result.err().lines().filter(line -> !line.startsWith("Try '") && !line.startsWith("Did you mean")))
                .hasSize(1);
        assertThat(result.exit()).isEqualTo(exit);
        assertThat(result.out()).isEmpty();
    }

    /** The importers are another artifact, which is not on the class path of these tests. */
    @Test
    void importsNeedTheirArtifact() {
        Program.Result missing = Program.onFile(folder).run("import", "--from", "quartz");
        assertThat(missing.exit()).isEqualTo(1);
        assertThat(missing.err())
                .isEqualTo("pawl: 'pawl import' needs the artifact pawl-importers, which is not here:"
                        + " add dev.pawl:pawl-importers to the class path\n");
        assertThat(Program.plain("import", "--help").out()).contains("--dry-run");
    }

    @Test
    void unknownDatabase() {
        refused(new Program("jdbc:oracle:thin:@x").run("queues"), 2, "no driver", "jdbc:postgresql:");
        refused(
                new Program("redis://localhost/1").run("queues"),
                2,
                "is not a database",
                "postgres://user:password@host");
        refused(new Program("postgres:///app").run("queues"), 2, "has no host");
        refused(new Program("").run("queues"), 2, "--db is empty");
        for (String url : List.of(
                "postgres://me:hunt?er2@db/app",
                "postgres://me:hunter2@db:port/app",
                "mysql://me:hunt%er2@db/app",
                "mysql://me:hunter2@d b/app",
                "mysql:me:hunter2@db/app")) {
            Program.Result result = new Program(url).run("queues");
            refused(result, 2, "");
            assertThat(result.err()).as(url).doesNotContain("hunt").containsAnyOf("not a URL", "is not valid");
        }
        for (String memory :
                List.of("jdbc:sqlite::memory:", "jdbc:sqlite:", ":memory:", "jdbc:sqlite:file:x?mode=memory")) {
            refused(new Program(memory).run("enqueue", "greet"), 2, "in memory", "name a file");
        }
    }

    @Test
    void unreachableServerAndItsPasswordStaysSecret() {
        Program.Result result = new Program("jdbc:postgresql://127.0.0.1:9/app?user=me&password=hunter2").run("queues");
        refused(result, 1, "cannot connect to jdbc:postgresql://127.0.0.1:9/app", "is the server running");
        assertThat(result.err()).doesNotContain("hunter2");
        Program.Result short1 = new Program("postgres://me:hunter2@127.0.0.1:9/app").run("queues");
        refused(short1, 1, "cannot connect to jdbc:postgresql://127.0.0.1:9/app", "is the server running");
        assertThat(short1.err()).doesNotContain("hunter2");
    }

    /** Debian's MariaDB server offers no TLS, but MariaDB's driver requires it. */
    @Test
    void serversWithoutTlsAreNamedAsTheCause() {
        try (TestDatabase database = TestServers.mariaDb().createDatabase()) {
            Program.Result result = new Program(database.jdbcUrl().replaceFirst("[?&]sslMode=\\w+", "")).run("queues");
            refused(result, 1, "cannot connect to jdbc:mariadb://127.0.0.1:", "no TLS", "sslMode=disable");
            assertThat(result.err()).doesNotContain("is the server running");
        }
    }

    @Test
    void readingCommandsCreateNoFile() {
        refused(program.run("queues"), 2, "there is no file", "pawl migrate");
        assertThat(folder.resolve("test.db")).doesNotExist();
    }

    @Test
    void missingTables() throws IOException {
        Files.createFile(folder.resolve("test.db"));
        refused(program.run("jobs"), 1, "at version 0", "run 'pawl migrate'");
    }

    @Test
    void newerSchema() throws SQLException {
        assertThat(program.run("migrate").exit()).isZero();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("test.db"));
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE pawl_schema SET version = 99, works_from = 98 WHERE version = 1");
        }
        refused(program.run("enqueue", "greet"), 1, "version 99", "version 98 or later", "Upgrade Pawl");
    }

    @Test
    void malformedPayload() {
        refused(program.run("enqueue", "greet", "{\"a\": "), 2, "PAYLOAD is not JSON");
        refused(program.run("enqueue", "greet", "1 2"), 2, "more than one JSON value");
        assertThat(folder.resolve("test.db")).doesNotExist();
    }

    @Test
    void badLinesRollBackTheWholeFile() throws IOException {
        Path lines = folder.resolve("lines");
        Files.write(lines, List.of("{\"n\": 1}", "", "{\"n\": 2}", "oops"));
        refused(program.run("enqueue", "greet", "--lines", lines.toString()), 2, "line 4 is not JSON", "oops");
        assertThat(program.run("jobs").out()).contains("no jobs");
        refused(program.run("enqueue", "greet", "--lines", "nowhere"), 2, "there is no file nowhere");
    }

    @Test
    void unreadableLines() throws IOException {
        refused(program.run("enqueue", "greet", "--lines", folder.toString()), 2, "is a folder");
        Path latin = folder.resolve("latin");
        Files.write(latin, "\"ok\"\n\"caf\u00e9\"\n".getBytes(StandardCharsets.ISO_8859_1));
        refused(program.run("enqueue", "greet", "--lines", latin.toString()), 2, "is not UTF-8");
    }

    @Test
    void filesThatAreNotDatabasesAreRefusedAtOnce() throws IOException {
        Path text = folder.resolve("notes.txt");
        Files.writeString(text, "not a database ".repeat(1000));
        refused(new Program(text.toString()).run("queues"), 2, "cannot be read as an SQLite database");
        refused(new Program(text.toString()).run("enqueue", "greet"), 2, "cannot be read as an SQLite database");
        refused(new Program(folder.toString()).run("queues"), 2, "is a folder");
    }

    @Test
    void busyPortsAreReportedPlainly() throws IOException {
        System.setProperty("pawl.secret", "long-enough-for-a-test");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            refused(
                    program.run("work", "--handler", "a=exec:true", "--listen", "" + taken.getLocalPort()),
                    1,
                    "cannot listen on");
            refused(
                    program.run("work", "--handler", "a=exec:true", "--listen", "no.such.host.invalid:1"),
                    2,
                    "no host");
        } finally {
            System.clearProperty("pawl.secret");
        }
    }

    @Test
    void unwritableStandardOutputIsAFailure() {
        program.run("migrate");
        PrintWriter full = new PrintWriter(new Writer() {
            @Override
            public void write(char[] text, int from, int length) throws IOException {
                throw new IOException("No space left on device");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        });
        StringWriter err = new StringWriter();
        int exit = Main.run(
                full,
                new PrintWriter(err, true),
                "jobs",
                "--db",
                folder.resolve("test.db").toString());
        assertThat(exit).isOne();
        assertThat(err.toString()).contains("cannot write to standard output");
    }

    @Test
    void badOptions() {
        refused(program.run("enqueue", "greet", "--delay", "-5s"), 2, "--delay '-5s' is not a duration", "10s");
        refused(program.run("enqueue", "greet", "--delay", "PT-5S"), 2, "delay PT-5S is not valid");
        refused(program.run("enqueue", "greet", "--at", "tomorrow"), 2, "--at 'tomorrow'", "2030-01-31T08:00:00Z");
        refused(program.run("enqueue", "two words"), 2, "kind 'two words' is not valid", "letters");
        refused(program.run("enqueue", "greet", "--queue", "a;b"), 2, "queue 'a;b' is not valid");
        refused(program.run("enqueue", "greet", "--priority", "99999"), 2, "-32768 to 32767");
        refused(program.run("enqueue", "greet", "--priority", "high"), 2, "--priority");
        refused(program.run("jobs", "--state", "done"), 2, "--state 'done'", "completed");
        refused(program.run("jobs", "--filter", "state:done"), 2, "'done' after 'state' at character 1", "completed");
        refused(
                program.run("jobs", "--filter", "kind:a stat:x"),
                2,
                "'stat' at character 8",
                "uniqueKey, text, from, until");
        refused(program.run("jobs", "--filter", "kind:a", "--kind", "b"), 2, "'kind'", "give it once");
        refused(program.run("jobs", "--filter", "-tag:a"), 2, "only state, queue and kind can");
        refused(program.run("jobs", "--state", "running,done"), 2, "--state 'done'", "completed");
        refused(program.run("jobs", "--kind", "a,"), 2, "--kind 'a,' has an empty value");
        refused(program.run("cancel", "jobs", "--filter", " "), 2, "give an option that selects jobs");
        refused(program.run("enqueue", "greet", "\"" + "x".repeat(1_100_000) + "\""), 2, "the maximum is 1048576");
        refused(program.run("no-such-command"), 2, "no-such-command");
        refused(program.run("queus"), 2, "Did you mean", "queues");
        refused(program.run("enqueue", "greet", "@no-such-file"), 2, "PAYLOAD is not JSON", "@no-such-file");
        program.run("migrate");
        refused(program.run("gaps", "nope"), 1, "there is no series nope");
        assertThat(program.run("migrate").exit()).isZero();
        assertThat(program.run("jobs").out()).contains("no jobs");
    }

    @Test
    void errorsNameOptionsInsteadOfJava() {
        refused(
                program.run("enqueue", "a", "{}", "--replace"),
                2,
                "--replace needs --unique-key or --unique-by-payload");
        refused(
                program.run("add", "schedule", "s", "a", "--cron", "0 3 * * *", "--overlap", "queue", "--missed", "5"),
                2,
                "--missed 5",
                "--overlap allow");
        refused(program.run("add", "schedule", "b 2", "a", "--every", "1h"), 2, "schedule 'b 2' is not valid");
        refused(
                program.run("add", "schedule", "s", "a", "--cron", "@daily", "--every", "1h"),
                2,
                "use one of --cron, --every and --after, not several of them");
        refused(program.run("add", "schedule", "s", "a"), 2, "say when, with one of --cron, --every and --after");
        refused(program.run("add", "schedule", "s", "a", "--every", "0s"), 2, "--every 0s is not valid: use 1s to");
        refused(program.run("set", "limit", "queue", "q", "--together", "60"), 2, "set limit keys QUEUE --together 60");
        refused(
                program.run("set", "limit", "kind", "k", "--max-waiting", "6"),
                2,
                "set limit queue QUEUE --max-waiting 6");
        refused(
                program.run("set", "limit", "kind", "k", "--rate", "1/1ms"),
                2,
                "--rate 1ms is not valid: use 1s to 31d");
        refused(
                program.run("enqueue", "a", "--priority", "99999999999"),
                2,
                "'99999999999' is out of range; 'pawl enqueue --help'");
        refused(
                program.run("jobs", "--since", "yesterday"),
                2,
                "--since 'yesterday'",
                "or an age such as 15m, 2h or 7d");
        refused(program.run("enqueue", "a", "[1,2"), 2, "PAYLOAD is not JSON", "for Array, line 1, column 5): [1,2");
        assertThat(Texts.inShort("delay PT90S is not valid: use PT1H, P1D or PTO"))
                .isEqualTo("delay 90s is not valid: use 1h, P1D or PTO");
    }

    @Test
    void missingFoldersAreNamed() {
        Path missing = folder.resolve("new");
        refused(
                new Program(missing.resolve("x.db").toString()).run("enqueue", "greet"),
                2,
                "there is no folder " + missing,
                "make it first");
    }

    @Test
    void refusalsForOneJobNameTheRemedy() {
        program.run("enqueue", "save", "{}");
        refused(program.run("delete", "job", "1"), 1, "only ended jobs can be deleted; pawl cancel job 1 first");
        program.run("cancel", "job", "1");
        refused(
                program.run("move", "job", "1", "--to", "x", "--new"),
                1,
                "is cancelled: only jobs that wait can be moved; pawl retry job 1");
        refused(program.run("reschedule", "job", "1", "--in", "1h"), 1, "only jobs that wait can be rescheduled");
        refused(program.run("prioritize", "job", "1", "--to", "3"), 1, "only jobs that wait can be prioritized");
        assertThat(program.run("delete", "job", "1").out()).contains("job 1 is deleted");
    }

    /** No program would see what a command writes into tables with another prefix. */
    @Test
    void tablesWithAnotherPrefixAreNamed() {
        program.run("migrate", "--table-prefix", "jobs_");
        refused(
                program.run("enqueue", "save"),
                2,
                "there are no tables pawl_*",
                "but jobs_*: give --table-prefix jobs_");
        refused(program.run("jobs"), 2, "give --table-prefix jobs_");
        assertThat(program.run("enqueue", "save", "--table-prefix", "jobs_").exit())
                .isZero();
        program.run("migrate");
        assertThat(program.run("enqueue", "save").exit()).as("it has both").isZero();
    }

    @Test
    void badHandlers() {
        refused(program.run("work", "--handler", "greet=run:it"), 2, "KIND=exec:COMMAND");
        refused(program.run("work", "--handler", "greet=http:not a url"), 2, "is not a URL");
        refused(program.run("work", "--handler", "greet=http:///nohost"), 2, "is not a URL");
        refused(program.run("work", "--handler", "greet=http://my_host/"), 2, "underscore");
        refused(program.run("work"), 2, "--handler");
        refused(program.run("work", "--handler", "a=exec:true", "--handler", "a=exec:false"), 2, "a=… is given twice");
        refused(program.run("work", "--handler", "a=http://x/", "--header", "X"), 2, "NAME:VALUE");
        refused(program.run("work", "--handler", "a=http://x/", "--header", "Host: y"), 2, "cannot be sent");
        refused(program.run("work", "--handler", "a=http://x/", "--header", "X: $NO_SUCH_PAWL"), 2, "NO_SUCH_PAWL");
        refused(program.run("set", "strategy", "default", "optimistic:window=0"), 2, "window=workers");
    }

    @Test
    void duplicateKeysAreResultsNotErrors() {
        assertThat(program.run("enqueue", "greet", "--unique-key", "k").out()).contains("inserted job 1");
        Program.Result second = program.run("enqueue", "greet", "--unique-key", "k");
        assertThat(second.out()).contains("duplicate job 1");
        assertThat(second.exit()).isZero();
    }

    @Test
    void missingJobs() {
        program.run("migrate");
        refused(program.run("job", "7"), 1, "there is no job 7");
        refused(program.run("retry", "job", "7"), 1, "job 7 does not exist");
        refused(program.run("cancel", "job", "7"), 1, "job 7 does not exist");
    }

    @Test
    void jobsOfUnknownKindsAreSkippedAndShown() {
        program.run("enqueue", "nobody.knows", "{}");
        Program.Result work = program.run("work", "--handler", "greet=exec:true", "--until-empty");
        assertThat(work.exit()).isZero();
        assertThat(program.run("queues", "--json").out()).contains("\"available\" : 1");
        assertThat(program.run("jobs", "--state", "available").out()).contains("nobody.knows");
    }

    @Test
    void managersAndRemoteWorkersNeedASecretAndSensibleOptions() {
        Program.Result none = program.run("manage", "--kinds", "work", "--worker", "http://localhost:1");
        assertThat(none.exit()).isEqualTo(2);
        assertThat(none.err()).contains("PAWL_SECRET").hasLineCount(1);
        System.setProperty("pawl.secret", "too-short");
        try {
            Program.Result brief = program.run("work", "--handler", "work=exec:true", "--listen", "0");
            assertThat(brief.err()).contains("at least 16").doesNotContain("too-short");
            System.setProperty("pawl.secret", "long-enough-for-a-test");
            assertThat(program.run("manage", "--kinds", "work", "--worker", "ftp://x")
                            .err())
                    .contains("is not valid");
            assertThat(program.run("manage", "--kinds", "work", "--worker", "http://my_worker:8081")
                            .err())
                    .contains("http://my_worker:8081 is not valid", "underscore")
                    .hasLineCount(1);
            assertThat(program.run("manage", "--kinds", "work", "--worker", "http://x", "--callback", "http://my_self")
                            .err())
                    .contains("call back", "underscore")
                    .hasLineCount(1);
            assertThat(program.run("manage", "--kinds", "work", "--worker", "http://x", "--probe", "work=maybe:x")
                            .err())
                    .contains("file:PATH or KIND=row:SELECT");
            assertThat(program.run("work", "--handler", "work=exec:true", "--listen", "70000")
                            .err())
                    .contains("use a port");
        } finally {
            System.clearProperty("pawl.secret");
        }
    }

    /** MySQL's driver reports "Communications link failure" for every cause. */
    @Test
    void missingServersAreNamedWithTheReason() {
        assertThat(Program.plain("jobs", "--db", "mysql://u:p@localhost:1/jobs").err())
                .contains("localhost:1/jobs", "Connection refused")
                .doesNotContain("u:p");
        assertThat(Program.plain("jobs", "--db", "mysql://u:p@nobody.invalid/jobs")
                        .err())
                .contains("nobody.invalid", "unknown host");
        assertThat(Program.plain("job", "x").err()).contains("'x' is not a whole number");
    }
}
