package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.Batch;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.Workflow;
import dev.pawl.admin.RemoteWorkerStatus;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobType;
import dev.pawl.api.Outcome;
import dev.pawl.api.Retention;
import dev.pawl.internal.schema.LeftBehind;
import dev.pawl.internal.schema.Migration;
import dev.pawl.spi.RemoteRuns;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;
import picocli.CommandLine;

class CommandsTest {
    @TempDir
    private Path folder = Path.of("");

    private Program program = new Program("");

    @BeforeEach
    void createProgram() {
        program = Program.onFile(folder);
    }

    @Test
    void demoProcessesAllFilesCorrectly() throws IOException {
        for (int i = 0; i < 700; i++) {
            Files.writeString(folder.resolve("file " + i + ".txt"), "line\n".repeat(i));
        }
        Program.Result demo = program.run("demo", folder.toString(), "--workers", "4", "--limit", "600");
        assertThat(demo.exit()).isZero();
        assertThat(demo.out())
                .contains(
                        "600 jobs",
                        "1 failed (1 in 500 on purpose)",
                        "exactly once",
                        "every row matches a sequential pass");
        assertThat(program.run("jobs", "--state", "completed", "--limit", "3", "--json")
                        .out())
                .contains("\"demo.digest\"");
        assertThat(program.run("workers").out()).contains("stopped", "KINDS", "demo.digest");
        assertThat(program.run("doctor").exit()).isZero();
        assertThat(program.run("doctor").out()).contains("immediate: SQLite has one writer");
    }

    @Test
    void execReceivesThePayloadOnInputAndTheRestInTheEnvironment() throws IOException {
        Path out = folder.resolve("out");
        program.run(
                "enqueue",
                "save",
                "{\"text\": \"$(touch hacked) `id` 'x'\"}",
                "--header",
                "note: a:b ü",
                "--key",
                "k ü");
        Program.Result work = program.run(
                "work",
                "--until-empty",
                "--handler",
                "save=exec:cat > '" + out + "'; echo attempt $PAWL_ATTEMPT of $PAWL_KIND; echo db=$PAWL_DB;"
                        + " echo $PAWL_HEADERS; echo key=$PAWL_KEY batch=$PAWL_BATCH");
        assertThat(work.out()).contains("completed 1");
        assertThat(Files.readString(out)).isEqualTo("{\"text\": \"$(touch hacked) `id` 'x'\"}");
        assertThat(program.run("job", "1").out())
                .contains(
                        "attempt 1 of save",
                        "db=\n",
                        "completed",
                        "{note=a:b ü}",
                        "{\"note\":\"a:b \\u00FC\"}",
                        "key=k ü batch=\n");
    }

    @Test
    void execFailsWithItsLastErrorsAndRetriesOn75() {
        program.run("enqueue", "fail", "--max-attempts", "1");
        program.run("enqueue", "later", "--max-attempts", "2");
        program.run(
                "work",
                "--until-empty",
                "--handler",
                "fail=exec:echo it is broken >&2; exit 3",
                "--handler",
                "later=exec:exit 75");
        assertThat(program.run("job", "1").out()).contains("discarded", "exit 3: it is broken");
        assertThat(program.run("job", "2").out()).contains("available", "exit 75");
        assertThat(program.run("queues", "--json").out()).contains("\"retrying\" : 1");
        assertThat(program.run("retry", "job", "1").out())
                .contains("job 1 is available now", "! job 1 waits: no live worker claims from queue");
        assertThat(program.run("cancel", "job", "1", "2").out()).contains("job 1 is cancelled", "job 2 is cancelled");
    }

    @Test
    void blockedJobsShowTheirState() {
        program.run("enqueue", "save", "1", "--key", "c1");
        program.run("enqueue", "save", "2", "--key", "c1");
        assertThat(program.run("job", "2", "--json").out())
                .contains("\"state\" : \"blocked\"")
                .doesNotContain("\"availableAt\" : null");
        assertThat(program.run("jobs", "--state", "blocked").out()).contains("after others of its key");
        program.run("cancel", "job", "2");
        assertThat(program.run("job", "2").out()).contains("cancelled");
        assertThat(program.run("job", "2", "--follow").out()).contains("cancelled");
    }

    @Test
    void pendingAndPausedJobsShowTheirState() {
        assertThat(program.run("enqueue", "save", "{}").out()).contains("job 1"); // creates the tables
        JobType<String> save = JobType.of("save", String.class);
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl("jdbc:sqlite:" + folder.resolve("test.db"));
            JobQueue queue = JobQueue.open(pool);
            Workflow unused = queue.workflow("w")
                    .job("one", save, "x")
                    .then("two", save, "y")
                    .start();
            Batch careful = queue.batch("careful").canary(1).open();
            careful.enqueue(save, "first");
            careful.enqueue(save, "rest");
            queue.close();
        }
        assertThat(program.run("jobs").out()).contains("after others of its workflow", "its batch is paused");
        assertThat(program.run("reschedule", "job", "5", "--in", "0s").err())
                .contains("job 5 is paused with its batch, not scheduled; pawl batch ");
        assertThat(program.run("reschedule", "job", "5", "--in", "0s", "--json").out())
                .contains("\"reason\" : \"paused\"");
        program.run("cancel", "jobs", "--kind", "save");
        for (int id = 1; id <= 5; id++) {
            assertThat(program.run("job", "" + id).out()).contains("cancelled");
        }
    }

    /** A list of ids may contain a job twice: the second request must not hide the result of the first. */
    @Test
    void repeatedIdsAreRequestedOnce() {
        for (int i = 0; i < 5; i++) {
            program.run("enqueue", "save");
        }
        Program.Result cancelled = program.run("cancel", "job", "1", "1");
        assertThat(cancelled.exit()).isZero();
        assertThat(cancelled.err()).isEmpty();
        assertThat(cancelled.out()).containsOnlyOnce("job 1 is cancelled");
        assertThat(program.run("cancel", "job", "2", "1", "2", "2", "--json")
                        .out()
                        .replaceAll("\\s", ""))
                .isEqualTo("[{\"jobId\":2,\"result\":\"cancelled\"},{\"jobId\":1,\"result\":\"already_finished\"}]");
        assertThat(program.run("retry", "job", "2", "2").out()).containsOnlyOnce("job 2 is available now");
        assertThat(program.run("move", "job", "2", "2", "--to", "other", "--json", "--new")
                        .out())
                .containsOnlyOnce("\"jobId\" : 2");
        assertThat(program.run("reschedule", "job", "3", "3", "--in", "1h").out())
                .containsOnlyOnce("job 3 is available at");
        assertThat(program.run("prioritize", "job", "3", "4", "3", "--to", "5").out())
                .containsOnlyOnce("job 3 has priority 5");
        Program.Result deleted = program.run("delete", "job", "1", "1");
        assertThat(deleted.exit()).isZero();
        assertThat(deleted.err()).isEmpty();
        assertThat(deleted.out()).containsOnlyOnce("job 1 is deleted");
        Program.Result erased = program.run("erase", "job", "5", "5");
        assertThat(erased.exit()).isZero();
        assertThat(erased.out()).containsOnlyOnce("job 5 is gone");
    }

    @Test
    void httpPostsThePayloadAndHonoursRetryAfter() throws IOException {
        AtomicInteger calls = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            int status = calls.incrementAndGet() == 1 ? 429 : body.equals("{\"n\":2}") ? 500 : 204;
            exchange.getResponseHeaders().add("Retry-After", "0");
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        try {
            program.run("enqueue", "post", "{\"n\":1}", "--max-attempts", "3");
            program.run("enqueue", "post", "{\"n\":2}", "--max-attempts", "1");
            Program.Result work = program.run(
                    "work",
                    "--until-empty",
                    "--concurrency",
                    "1",
                    "--handler",
                    "post=http:http://127.0.0.1:" + server.getAddress().getPort() + "/jobs");
            assertThat(work.exit()).isZero();
            assertThat(program.run("job", "1").out()).contains("completed", "HTTP 429");
            assertThat(program.run("job", "2").out())
                    .contains("discarded", "    HTTP 500")
                    .doesNotContain("HandlerFailure");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void httpCallsHaveHeadersAndASignatureAndNoUpgrade() throws IOException {
        Map<String, List<String>> headers = new ConcurrentHashMap<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            headers.putAll(exchange.getRequestHeaders());
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        System.setProperty("pawl.http.secret", "key");
        try {
            program.run(
                    "enqueue",
                    "post",
                    "{\"n\":1}",
                    "--header",
                    "traceparent:00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                    "--header",
                    "Authorization:of the producer");
            program.run(
                    "work",
                    "--until-empty",
                    "--header",
                    "X-Tenant: a:b",
                    "--header",
                    "X-Home: at $PATH",
                    "--handler",
                    "post=http:http://127.0.0.1:" + server.getAddress().getPort() + "/jobs");
        } finally {
            System.clearProperty("pawl.http.secret");
            server.stop(0);
        }
        assertThat(headers).containsEntry("X-tenant", List.of("a:b"));
        assertThat(headers).containsEntry("X-home", List.of("at " + System.getenv("PATH")));
        assertThat(headers)
                .containsEntry("Traceparent", List.of("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))
                .containsEntry(
                        "Pawl-headers",
                        List.of("{\"Authorization\":\"of the producer\","
                                + "\"traceparent\":\"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\"}"))
                .doesNotContainKey("Authorization");
        // printf '{"n":1}' | openssl dgst -sha256 -hmac key
        assertThat(headers)
                .containsEntry(
                        "Pawl-signature",
                        List.of("sha256=105f53bf3b432ed2e10c1a2f4f0cdc165d1ecdcf1412664224a905f19651c2b2"))
                .doesNotContainKeys("Upgrade", "Http2-settings");
    }

    @Test
    void unavailableServersAreNamed() {
        program.run("enqueue", "post", "1", "--max-attempts", "1");
        program.run("work", "--until-empty", "--handler", "post=http:http://127.0.0.1:9/jobs?token=hunter2");
        assertThat(program.run("job", "1").out())
                .contains("    cannot connect to http://127.0.0.1:9/jobs")
                .doesNotContain("ConnectException", "hunter2");
    }

    @Test
    void timeoutsKillCommandsAndTheirDescendants() throws IOException {
        Path lines = folder.resolve("lines");
        Files.writeString(lines, "\"" + "x".repeat(300_000) + "\"\n");
        program.run("enqueue", "stuck", "--lines", lines.toString(), "--max-attempts", "1");
        Path child = folder.resolve("child");
        program.run(
                "work",
                "--until-empty",
                "--timeout",
                "1s",
                "--handler",
                "stuck=exec:sleep 600 & echo $! > '" + child + "'; wait");
        assertThat(program.run("job", "1").out())
                .contains("discarded", "timed out after 1 s", "its command was killed")
                .doesNotContain("PT1S", "Exception");
        long pid = Long.parseLong(Files.readString(child).strip());
        assertThat(awaitEnd(pid)).as("the command's child is killed, too").isTrue();
    }

    private static boolean awaitEnd(long pid) {
        return ProcessHandle.of(pid)
                .map(process -> {
                    try {
                        process.onExit().get(60, TimeUnit.SECONDS);
                        return true;
                    } catch (InterruptedException | ExecutionException | TimeoutException e) {
                        return false;
                    }
                })
                .orElse(true);
    }

    @Test
    void workReportsItsProgressWithoutATerminal() {
        program.run("enqueue", "greet");
        Program.Result work = program.run("work", "--until-empty", "--handler", "greet=exec:true");
        assertThat(work.err()).contains("working on jdbc:sqlite:", "queues default", "kinds greet");
        assertThat(work.out()).contains("completed 1");
    }

    @Test
    void jobsWithoutAWorkerAreNamedAndFinishedOnesCounted() {
        program.run("enqueue", "greet", "--queue", "mail", "--tag", "vip");
        program.run("work", "--until-empty", "--handler", "greet=exec:true");
        assertThat(program.run("queues").out()).contains("queue mail: 1 job(s) of kind greet wait");
        Program.Result doctor = program.run("doctor");
        assertThat(doctor.out()).contains("no live worker handles them");
        assertThat(doctor.exit()).isOne();
        program.run("work", "--until-empty", "--queues", "mail", "--handler", "greet=exec:true");
        assertThat(program.run("queues").out())
                .containsPattern("mail .* 1 +0 +0 +auto")
                .doesNotContain("wait");
        assertThat(program.run("doctor").exit()).isZero();
        assertThat(program.run("jobs", "--tag", "vip", "--since", "1h", "--text", "{}")
                        .out())
                .contains("mail");
        assertThat(program.run("jobs", "--tag", "vi").out()).contains("no jobs");
        assertThat(program.run("jobs", "--until", "1h").out()).contains("no jobs");
        assertThat(program.run("pause", "queue", "mail", "--json").out()).contains("\"paused\" : true");
    }

    @Test
    void probableTypingErrorsAreReported() {
        assertThat(program.run("enqueue", "greet", "{}", "--queue", "mail").err())
                .contains("created ", "test.db");
        assertThat(program.run("enqueue", "greet", "{}", "--queue", "mail").err())
                .doesNotContain("created");
        assertThat(program.run("pause", "queue", "mail").out()).contains("queue mail is paused");
    }

    @Test
    void theDoctorWarnsOfLongOrOldQueues() {
        for (int i = 0; i < 3; i++) {
            program.run("enqueue", "greet", "{}", "--queue", "mail");
        }
        assertThat(program.run("doctor", "--max-waiting", "3", "--max-age", "1h")
                        .out())
                .doesNotContain("more than")
                .doesNotContain("has waited for");
        Program.Result many = program.run("doctor", "--max-waiting", "2");
        assertThat(many.out()).contains("queue mail", "3 jobs are available, more than 2");
        assertThat(many.exit()).isOne();
        assertThat(program.run("doctor", "--max-age", "0s").out()).contains("has waited for");
        assertThat(program.run("doctor", "--max-waiting", "-1").err()).contains("use 0 or more");
    }

    @Test
    void commonDatabaseUrlsAreAccepted() {
        assertThat(DatabaseUrl.of("--db", "a.db").jdbc()).isEqualTo("jdbc:sqlite:a.db");
        assertThat(DatabaseUrl.of("--db", "./x/a.db?busy_timeout=1").jdbc())
                .isEqualTo("jdbc:sqlite:./x/a.db?busy_timeout=1");
        assertThat(DatabaseUrl.of("--db", "sqlite:///var/a.db").jdbc()).isEqualTo("jdbc:sqlite:/var/a.db");
        DatabaseUrl postgres = DatabaseUrl.of("--db", "postgres://me:p%40ss%26@db:5433/app?sslmode=require");
        assertThat(postgres.jdbc()).isEqualTo("jdbc:postgresql://db:5433/app?sslmode=require");
        assertThat(postgres.user()).isEqualTo("me");
        assertThat(postgres.password()).isEqualTo("p@ss&");
        assertThat(postgres.toString()).doesNotContain("p@ss");
        assertThat(postgres.shown()).isEqualTo("jdbc:postgresql://db:5433/app");
        assertThat(DatabaseUrl.of("--db", "mysql://db/app").jdbc()).isEqualTo("jdbc:mysql://db/app");
    }

    @Test
    void passwordsMayContainSlashesAndAtSignsAndHostsUnderscores() {
        DatabaseUrl url =
                DatabaseUrl.of("--db", "mariadb://me:p@ss/w#rd:+%3F@my_db.local:3307/app?sslMode=trust&x=a@b");
        assertThat(url.jdbc()).isEqualTo("jdbc:mariadb://my_db.local:3307/app?sslMode=trust&x=a@b");
        assertThat(url.user()).isEqualTo("me");
        assertThat(url.password()).isEqualTo("p@ss/w#rd:+?");
        assertThat(url.shown()).isEqualTo("jdbc:mariadb://my_db.local:3307/app");
        DatabaseUrl several = DatabaseUrl.of("--db", "postgres://me@one:5432,[::1]");
        assertThat(several.jdbc()).isEqualTo("jdbc:postgresql://one:5432,[::1]/");
        assertThat(several.user()).isEqualTo("me");
        assertThat(several.password()).isNull();
    }

    /** A manager records the states of its remote workers, as this test does. */
    @Test
    void remoteWorkersAreShownWithTheirProblems() {
        DatabaseOptions.Session session = session();
        try (session;
                Worker manager = Worker.on(session.queue())
                        .name("manager-1")
                        .extend(registry -> registry.encoded(
                                "mail", (payload, run) -> Outcome.completed(), HandlerOptions.DEFAULTS))
                        .start()) {
            session.queue()
                    .unwrap(RemoteRuns.class)
                    .note(
                            manager.id(),
                            List.of(
                                    new RemoteWorkerStatus("http://well:8081", null, 4, 1, Set.of("mail", "bill")),
                                    new RemoteWorkerStatus("http://any:8081", null, 2, 0, Set.of()),
                                    new RemoteWorkerStatus("http://away:8081", "it cannot be reached", 0, 0, Set.of()),
                                    new RemoteWorkerStatus("http://odd:8081", "it runs others", 3, 0, Set.of("odd"))));
            assertThat(program.run("workers").out().lines())
                    .anyMatch(line -> line.matches(".* manager-1 +alive +default +mail .*"))
                    .anyMatch(
                            line -> line.matches("WORKER WITHOUT A DATABASE +MANAGER +CONCURRENCY +RUNS +KINDS +STATE"))
                    .anyMatch(line -> line.matches("http://well:8081 +manager-1 +4 +1 +bill,mail +well"))
                    .anyMatch(line -> line.matches("http://any:8081 +manager-1 +2 +0 +all +well"))
                    .anyMatch(line ->
                            line.matches("http://away:8081 +manager-1 +0 +0 +\\? +gets no jobs: it cannot be reached"))
                    .anyMatch(line ->
                            line.matches("http://odd:8081 +manager-1 +3 +0 +odd +gets no jobs: it runs others"));
            assertThat(program.run("workers", "--json").out())
                    .contains("\"suspended\" : false")
                    .contains("\"workers\" : [", "\"remoteWorkers\" : [")
                    .contains("\"problem\" : \"it cannot be reached\"", "\"problem\" : null")
                    .containsPattern("\"kinds\" : \\[ \"bill\", \"mail\" \\]");
        }
    }

    private DatabaseOptions.Session session() {
        DatabaseOptions options = new DatabaseOptions();
        new CommandLine(options).parseArgs("--db", folder.resolve("test.db").toString());
        return options.open(4);
    }

    @Test
    void linesAreEnqueuedInBulkAndListedInPages() throws IOException {
        Path lines = folder.resolve("lines");
        Files.write(
                lines,
                java.util.stream.IntStream.range(0, 2500)
                        .mapToObj(i -> "{\"n\":" + i + "}")
                        .toList());
        assertThat(program.run("enqueue", "bulk", "--lines", lines.toString()).out())
                .contains("inserted 2500 jobs");
        Program.Result page = program.run("jobs", "--limit", "2");
        assertThat(page.out()).contains("{\"n\":2499}", "next page: --before 2499");
        assertThat(program.run("jobs", "--limit", "2", "--before", "2499").out())
                .contains("{\"n\":2497}");
    }

    @Test
    void pausedQueuesStayPausedUntilResumed() {
        program.run("enqueue", "greet");
        program.run("pause", "queue", "default");
        program.run("work", "--until-empty", "--handler", "greet=exec:true");
        assertThat(program.run("queues").out()).contains("paused");
        assertThat(program.run("resume", "queue", "default").out()).contains("runs again");
        program.run("work", "--until-empty", "--handler", "greet=exec:true");
        assertThat(program.run("queues").out()).containsPattern("default .* 1 +0 +0 +auto");
        assertThat(program.run("prune", "--keep-last", "1").out()).contains("pruned 0 job(s)");
        assertThat(program.run("prune", "--keep-last", "0").err()).contains("use 1 or more");
        assertThat(program.run("prune", "--completed", "0s").out()).contains("pruned 1 job(s)");
    }

    @Test
    void allQueuesArePausedAndResumedAtOnce() {
        program.run("enqueue", "greet");
        assertThat(program.run("pause").exit()).isEqualTo(2);
        assertThat(program.run("resume", "all").out()).contains("there was no pause of all queues");
        assertThat(program.run("pause", "all").out()).contains("all queues are paused");
        program.run("enqueue", "greet", "--queue", "later");
        program.run("work", "--until-empty", "--queue", "default", "--queue", "later", "--handler", "greet=exec:true");
        assertThat(program.run("queues").out())
                .containsPattern("default .*paused")
                .containsPattern("later .*paused");
        assertThat(program.run("job", "1").out()).contains("all queues are paused: pawl resume all");
        assertThat(program.run("doctor").out()).contains("all queues are paused since");
        assertThat(program.run("resume", "queue", "later").out()).contains("was not paused, but all queues are paused");
        assertThat(program.run("resume", "all").out()).contains("all queues run again");
        assertThat(program.run("queues").out()).doesNotContain("paused");
    }

    @Test
    void jobsHaveTheirOwnTimeoutAndRetryDelays() {
        assertThat(program.run("enqueue", "greet", "--timeout", "30s", "--retry", "2s..1h")
                        .out())
                .contains("job 1");
        assertThat(program.run("enqueue", "greet", "--retry", "0s").out()).contains("job 2");
        assertThat(program.run("job", "1").out()).contains("pawl-timeout=PT30S", "pawl-retry=PT2S PT1H");
        assertThat(program.run("enqueue", "greet", "--retry", "1h..2s").exit()).isEqualTo(2);
        assertThat(program.run("enqueue", "greet", "--timeout", "0s").exit()).isEqualTo(2);
    }

    @Test
    void migratePrintsPlainSqlAndChangesNothing() {
        Program.Result print = program.run("migrate", "--print");
        assertThat(print.out())
                .contains(
                        "-- Version 1: for Flyway, a file of your next number, such as V42__pawl_1.sql",
                        "CREATE TABLE pawl_job (",
                        "INTO pawl_schema");
        assertThat(folder.resolve("test.db")).doesNotExist();
        assertThat(Program.plain("migrate", "--print", "mysql", "--db", "x.db").out())
                .contains("ENGINE = InnoDB");
        assertThat(Program.plain("migrate", "--print", "--db", "postgres://nowhere.invalid/x")
                        .out())
                .contains("timestamptz");
        assertThat(Program.plain("migrate", "--print", "oracle", "--db", "x.db").err())
                .contains("oracle is not supported");
        assertThat(program.run("migrate").out()).contains("applied V1__pawl.sql");
        assertThat(program.run("migrate").out()).contains("is at version 1").doesNotContain("applied");
    }

    @Test
    void migrateWarnsOfLiveWorkersThatItLeavesBehind() {
        Migration step = new Migration(2, "next", "");
        assertThat(new LeftBehind(2, 1, step, 2).warning())
                .isEqualTo("version 2 of the tables (next) needs programs that know version 2, and 2 live workers"
                        + " know version 1 at most. They go on with restrictions and cannot be restarted: replace them"
                        + " soon. See docs/guides/upgrade.md");
        assertThat(new LeftBehind(1, 1, step, 2).warning()).contains("1 live worker knows");
    }

    @Test
    void everyCommandExplainsItself() {
        for (String command : List.of(
                "demo",
                "example",
                "migrate",
                "enqueue",
                "work",
                "jobs",
                "job",
                "batches",
                "batch",
                "workflows",
                "workflow",
                "retry",
                "cancel",
                "queues",
                "pause",
                "resume",
                "workers",
                "schedules",
                "limits",
                "slots",
                "prune",
                "retentions",
                "doctor",
                "alerts",
                "dashboard")) {
            Program.Result help = Program.plain(command, "--help");
            assertThat(help.exit()).as(command).isZero();
            assertThat(help.out()).as(command).contains("Usage: pawl " + command);
        }
    }

    /** picocli reports mistakes in descriptions on standard error, and prints the help anyway. */
    @Test
    void helpTextsHaveNoWarnings() {
        PrintStream before = System.err;
        ByteArrayOutputStream warnings = new ByteArrayOutputStream();
        Thread own = Thread.currentThread();
        OutputStream ours = new OutputStream() { // processes of other tests may log their end now
                    @Override
                    public void write(int one) {
                        if (Thread.currentThread() == own) {
                            warnings.write(one);
                        }
                    }
                };
        System.setErr(new PrintStream(ours, true, StandardCharsets.UTF_8));
        try {
            for (List<String> command : commands(Main.withAllCommands(), List.of())) {
                List<String> help = new ArrayList<>(command);
                help.add("--help");
                Program.Result result = Program.plain(help.toArray(String[]::new));
                assertThat(result.exit()).as("%s", command).isZero();
                assertThat(result.err()).as("%s", command).isEmpty();
            }
        } finally {
            System.setErr(before);
        }
        assertThat(warnings.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    private static List<List<String>> commands(CommandLine parent, List<String> path) {
        List<List<String>> all = new ArrayList<>();
        parent.getSubcommands().forEach((name, command) -> {
            List<String> words = new ArrayList<>(path);
            words.add(name);
            all.add(words);
            all.addAll(commands(command, words));
        });
        return all;
    }

    @Test
    void singleJobsAreMovedRescheduledDeletedAndErased() {
        for (int i = 0; i < 3; i++) {
            program.run("enqueue", "save", "{}");
        }
        assertThat(program.run("move", "job", "1", "2", "--to", "mail", "--new").out())
                .contains("job 1 is in queue mail", "job 2 is in queue mail");
        assertThat(program.run("reschedule", "job", "1", "--at", "2031-01-31T08:00:00Z")
                        .out())
                .contains("job 1 is available at 2031-01-31T08:00:00Z");
        Program.Result early = program.run("delete", "job", "1");
        assertThat(early.exit()).isEqualTo(1);
        assertThat(early.err()).contains("job 1 is available");
        program.run("cancel", "job", "1");
        assertThat(program.run("delete", "job", "1").out()).contains("job 1 is deleted");
        assertThat(program.run("erase", "job", "2").out()).contains("job 2 is gone");
        assertThat(program.run("erase", "job", "2").err()).contains("job 2 does not exist");
        assertThat(program.run("jobs", "--json").out()).contains("\"id\" : 3").doesNotContain("\"id\" : 2");
        for (String command : List.of("cancel", "delete", "erase")) {
            assertThat(program.run(command, "jobs").err()).as(command).contains("--everything");
        }
        assertThat(program.run("erase", "jobs", "--everything").out()).contains("1 job(s) are gone");
    }

    @Test
    void workersSuspendWhenIdleOnlyIfTheyCanBeWoken() throws Exception {
        String[] work = {"work", "--until-empty", "--handler", "greet=exec:cat"};
        assertThat(program.run(work[0], work[1], work[2], work[3], "--suspend-when-idle=10m", "--no-listen")
                        .exit())
                .isZero();
        Program.Result refused = program.run(work[0], "--suspend-when-idle", work[1], work[2], work[3]);
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err())
                .contains("say how long their jobs may wait, such as --suspend-when-idle=5m")
                .doesNotContain("suspendWhenIdle", "Duration.");
        assertThat(Program.plain(
                                "work",
                                "--suspend-when-idle",
                                "--no-listen",
                                "--handler",
                                "greet=exec:cat",
                                "--db",
                                "postgres://nowhere.invalid/x")
                        .err())
                .contains("--suspend-when-idle needs a DURATION with --no-listen");
        assertThat(program.run(work[0], "--suspend-when-idle=9s", work[1], work[2], work[3])
                        .err())
                .contains("--suspend-when-idle 9s is not valid: use 10s to 30d");
    }

    @Test
    void schedulesAreAddedRunChangedAndRemoved() throws Exception {
        assertThat(program.run(
                                "add",
                                "schedule",
                                "nightly",
                                "save",
                                "{\"n\":1}",
                                "--cron",
                                "0 3 * * *",
                                "--zone",
                                "Europe/Rome")
                        .out())
                .contains("schedule nightly is added, at 03:00 every day (Europe/Rome): next ");
        assertThat(program.run("schedules").out()).contains("nightly", "save", "default", "added by hand");
        assertThat(program.run("schedules", "--json").out())
                .contains(
                        "\"recurrence\" : \"0 3 * * * in Europe/Rome\"",
                        "\"overlap\" : \"skip\"",
                        "\"origin\" : \"by_hand\"");
        assertThat(program.run("run", "schedule", "nightly").out()).contains("job 1 is enqueued");
        Program.Result again = program.run("run", "schedule", "nightly");
        assertThat(again.exit()).isEqualTo(1);
        assertThat(again.out()).contains("job 1 of the schedule has not ended");
        assertThat(program.run("job", "1").out()).contains("pawl-schedule=nightly");
        assertThat(program.run("schedule", "nightly").out()).contains("by hand");
        assertThat(program.run("pause", "schedule", "nightly").out()).contains("schedule nightly is paused");
        assertThat(program.run("schedules").out()).contains("paused");
        assertThat(program.run("pause", "schedule", "nightly").out()).contains("schedule nightly was paused already");
        assertThat(program.run("resume", "schedule", "nightly").out()).contains("schedule nightly runs again");
        Program.Result resumedTwice = program.run("resume", "schedule", "nightly");
        assertThat(resumedTwice.exit()).isZero();
        assertThat(resumedTwice.out()).contains("schedule nightly was not paused");
        assertThat(program.run(
                                "change",
                                "schedule",
                                "nightly",
                                "--cron",
                                "30 2 * * *",
                                "--zone",
                                "Europe/Rome",
                                "--skip-gaps")
                        .out())
                .contains("is due at 02:30 every day (Europe/Rome), none in gaps of the clock: next ");
        assertThat(program.run("schedules").out()).contains("(Europe/Rome), none in gaps of the clock");
        assertThat(program.run("change", "schedule", "nightly", "--every", "1s").out())
                .contains("schedule nightly is due every 1 second");
        program.run("work", "--until-empty", "--handler", "save=exec:true");
        assertThat(program.run("remove", "schedule", "nightly").out()).contains("is removed");
        assertThat(program.run("schedules").out()).contains("no schedules");
    }

    @Test
    void jobsMayBeUniqueForADurationAndExpire() {
        assertThat(program.run("enqueue", "save", "{}", "--unique-key", "k", "--unique-for", "1h", "--expires-in", "1h")
                        .out())
                .contains("job 1");
        program.run("work", "--until-empty", "--handler", "save=exec:true");
        assertThat(program.run("enqueue", "save", "{}", "--unique-key", "k", "--unique-for", "1h")
                        .out())
                .contains("duplicate job 1");
        assertThat(program.run("enqueue", "save", "{}", "--expires-at", "2020-01-01T00:00:00Z", "--unique-by-payload")
                        .out())
                .contains("job 2");
        program.run("work", "--until-empty", "--handler", "save=exec:true");
        assertThat(program.run("job", "2").out()).contains("cancelled", "expired: it was to begin before 2020");
        assertThat(program.run("enqueue", "save", "{}", "--unique-for", "1h").exit())
                .isEqualTo(2);
        assertThat(program.run("enqueue", "save", "{}", "--expires-in", "1h", "--expires-at", "2020-01-01T00:00:00Z")
                        .exit())
                .isEqualTo(2);
    }

    @Test
    void uniqueKeysMayBeHeldWhileWaitingOrWhileKept() {
        String[] kept = {"enqueue", "save", "{}", "--unique-key", "k", "--unique-while", "kept"};
        assertThat(program.run(kept).out()).contains("inserted job 1");
        program.run("work", "--until-empty", "--handler", "save=exec:true");
        assertThat(program.run(kept).out()).contains("duplicate job 1");
        String[] waiting = {"enqueue", "save", "{}", "--unique-by-payload", "--unique-while", "waiting"};
        assertThat(program.run(waiting).out()).contains("inserted job 2");
        assertThat(program.run(waiting).out()).contains("duplicate job 2");
        assertThat(program.run("enqueue", "save", "{}", "--unique-while", "kept")
                        .err())
                .contains("needs --unique-key");
        assertThat(program.run("enqueue", "save", "{}", "--unique-key", "k", "--unique-while", "running")
                        .err())
                .contains("'running'", "live-or-discarded");
    }

    @Test
    void fullQueuesRefuseJobs() {
        assertThat(program.run("set", "limit", "queue", "crawl", "--max-waiting", "1", "--new")
                        .out())
                .contains("at most 1 waiting");
        assertThat(program.run("enqueue", "save", "{}", "--queue", "crawl").exit())
                .isZero();
        Program.Result refused = program.run("enqueue", "save", "{}", "--queue", "crawl");
        assertThat(refused.exit()).isNotZero();
        assertThat(refused.err()).contains("'crawl'", "refused");
        assertThat(program.run("queues").out()).contains("MAX WAITING", "queue crawl is full");
        assertThat(program.run("queues", "--json").out()).contains("\"maxWaiting\"");
        assertThat(program.run("limits").out()).contains("MAX WAITING");
        assertThat(program.run("set", "limit", "kind", "save", "--max-waiting", "1", "--new")
                        .err())
                .contains("queue");
    }

    @Test
    void signalsAreSentAndStepsAreRepeated() {
        program.run("enqueue", "save", "{}");
        assertThat(program.run("signal", "job", "1", "approved").out()).contains("job 1 has the signal");
        Program.Result again = program.run("signal", "job", "1", "approved", "false");
        assertThat(again.exit()).isEqualTo(1);
        assertThat(again.err()).contains("the first one counts");
        assertThat(program.run("job", "1").out()).contains("signal ", "approved: received: true");
        assertThat(program.run("signal", "job", "1", "x", "no json").err()).contains("VALUE");
        assertThat(program.run("signal", "job", "9", "approved").err()).contains("does not exist");
        assertThat(program.run("retry", "job", "1", "--from-step", "charge").err())
                .contains("has no step 'charge'");
        assertThat(program.run("retry", "jobs", "--everything", "--from-step", "charge")
                        .err())
                .contains("Unknown option");
    }

    @Test
    void batchesAreShownAsTrees() {
        assertThat(program.run("enqueue", "save", "{}").out()).contains("job 1"); // creates the tables
        assertThat(program.run("batches").out()).contains("no batches");
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl("jdbc:sqlite:" + folder.resolve("test.db"));
            JobQueue queue = JobQueue.open(pool);
            Batch outer = queue.batch("outer").open();
            Batch inner = outer.batch("inner").open();
            inner.enqueue(JobType.of("save", String.class), "x");
            outer.seal();
            queue.close();
        }
        assertThat(program.run("batches").out()).contains("outer", "running").doesNotContain("inner");
        assertThat(program.run("batch", "1").out())
                .contains(
                        "batch 1 outer: running, 0 of 1 completed",
                        "  batch 2 inner: open",
                        "    job 2 save: available");
        assertThat(program.run("batch", "1", "--json").out()).contains("\"name\" : \"inner\"");
        assertThat(program.run("pause", "batch", "1").out()).contains("batch 1 is paused");
        assertThat(program.run("batch", "1").out()).contains("batch 1 outer: paused");
        assertThat(program.run("resume", "batch", "1").out()).contains("batch 1 is resumed");
        assertThat(program.run("resume", "batch", "1").out()).contains("batch 1 was not paused");
        assertThat(program.run("seal", "batch", "2").out()).contains("batch 2 is sealed");
        assertThat(program.run("cancel", "batch", "1").out()).contains("1 job(s) cancelled");
        assertThat(program.run("batch", "1").out()).contains("batch 1 outer: failed", "1 cancelled");
        assertThat(program.run("batch", "9").exit()).isEqualTo(1);
        assertThat(program.run("seal", "batch", "1", "--cancel").exit()).isEqualTo(2);
        assertThat(program.run("batches", "--limit", "0").exit()).isEqualTo(2);
    }

    @Test
    void workflowsAreShownAsTrees() {
        assertThat(program.run("enqueue", "save", "{}").out()).contains("job 1"); // creates the tables
        assertThat(program.run("workflows").out()).contains("no workflows");
        JobType<String> save = JobType.of("save", String.class);
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl("jdbc:sqlite:" + folder.resolve("test.db"));
            JobQueue queue = JobQueue.open(pool);
            Workflow unused = queue.workflow("order 17")
                    .job("charge", save, "x")
                    .jobs("pack", save, List.of("y", "z"))
                    .job("ship", save, "x")
                    .after("charge", "pack")
                    .then("mail", save, "x")
                    .start();
            queue.close();
        }
        assertThat(program.run("workflows").out()).contains("order 17", "running");
        assertThat(program.run("workflow", "1").out())
                .containsSubsequence(
                        "workflow 1 order 17: running, 0 of 4 node(s) completed",
                        "  charge: available",
                        "    job 2 save: available",
                        "  pack: available, 0 of 2 job(s) completed",
                        "    ship: pending, after charge, pack",
                        "      mail: pending");
        assertThat(program.run("queues").out()).contains("BLOCKED  PENDING");
        assertThat(program.run("job", "5").out())
                .contains(
                        "workflow         1",
                        "state            pending",
                        "! other jobs of its workflow come first: those of node ",
                        ": pawl workflow 1");
        assertThat(program.run("cancel", "job", "2").out()).contains("2");
        assertThat(program.run("cancel", "job", "3").out()).contains("3");
        assertThat(program.run("cancel", "job", "4").out()).contains("4");
        assertThat(program.run("workflow", "1").out()).contains("order 17: blocked", "ship: blocked");
        assertThat(program.run("workflow", "1", "--json").out())
                .contains("\"name\" : \"ship\"", "\"onFailure\" : \"block\"", "\"met\" : false");
        assertThat(program.run("cancel", "workflow", "1").out()).contains("2 job(s) cancelled");
        assertThat(program.run("workflow", "1").out()).contains("order 17: failed", "4 cancelled");
        assertThat(program.run("workflow", "9").exit()).isEqualTo(1);
        assertThat(program.run("workflows", "--limit", "0").exit()).isEqualTo(2);
    }

    @Test
    void examplesRunAndShowTheirSources() {
        assertThat(Program.plain("example").out()).contains("nightly-report", "tenant-mails");
        assertThat(Program.plain("example", "order").out())
                .containsSubsequence(
                        "is blocked",
                        "charge FAILED",
                        "ship BLOCKED",
                        "retry: AVAILABLE_NOW",
                        "is done",
                        "two parcels shipped, receipt 4711");
        assertThat(Program.plain("example", "approval").out())
                .containsSubsequence(
                        "the first worker begins with order 4711",
                        "the first worker has ended",
                        "step charge, done: \"receipt 4711\"",
                        "signal approved, waiting",
                        "approval: DELIVERED",
                        "the second worker begins with order 4711",
                        "the second worker does the rest",
                        "signal approved, done: true",
                        "step ship, done",
                        "is completed: shipped, receipt 4711, charged 1 time(s)");
        assertThat(Program.plain("example", "nightly-report").out())
                .contains("at 03:00 every day (Europe/Rome)", "500 are shipped", "by hand: job 501, completed")
                .doesNotContain("Exception");
        Program.Result mails = Program.plain("example", "tenant-mails");
        assertThat(mails.exit()).isZero();
        assertThat(mails.out()).contains("1000 sent after", "acme           500", "100 of a tenant");
        assertThat(Program.plain("example", "tenant-mails", "--source").out())
                .startsWith("package dev.pawl.cli.example;")
                .contains("Limit.keysOf");
        assertThat(Program.plain("example", "import").out())
                .contains("27 jobs have completed", "Total[parts=26, lines=25500]");
        assertThat(Program.plain("example", "nothing").exit()).isEqualTo(2);
        assertThat(Path.of("pawl.db")).doesNotExist();
    }

    @Test
    void jobsWithKeysRunOneAfterTheOther() {
        for (int i = 0; i < 5; i++) {
            program.run("enqueue", "save", "{}", "--key", "customer-4");
        }
        program.run("work", "--until-empty", "--handler", "save=exec:true");
        assertThat(program.run("jobs", "--state", "available").out()).contains("no jobs");
        program.run("enqueue", "save", "{}", "--key", "customer-17");
        program.run("enqueue", "save", "{}", "--key", "customer-17");
        assertThat(program.run("jobs").out()).contains("blocked: after others of its key");
        assertThat(program.run("job", "6").out())
                .contains("! it is the next job of its key, which a worker of queue default has to release: pawl work"
                        + " --queues default …");
        assertThat(program.run("job", "7").out())
                .contains(
                        "state            blocked", "! job 6 of its key comes before it: pawl job 6; pawl retry job 7");
        assertThat(program.run("set", "limit", "keys", "default", "--at-once", "2")
                        .out())
                .contains("keys default: at most 2 at once");
        assertThat(program.run("set", "limit", "keys", "default", "--at-once", "2", "--rate", "100/1s")
                        .out())
                .contains("keys default: at most 2 at once, at most 100 starts in 1 s");
        program.run("work", "--until-empty", "--handler", "save=exec:true");
        assertThat(program.run("jobs", "--state", "completed", "--json").out()).contains("\"id\" : 6", "\"id\" : 7");
    }

    @Test
    void blockedJobsShowTheirDueTime() {
        program.run("enqueue", "k", "1", "--key", "c", "--delay", "10m");
        assertThat(program.run("job", "1").out())
                .containsPattern("! it is scheduled for later, until \\d{4}-.*: pawl retry job 1 runs it now");
        assertThat(program.run("reschedule", "job", "1", "--at", "2900-01-01T00:00:00Z")
                        .exit())
                .isZero();
        assertThat(program.run("job", "1", "--json").out())
                .contains(
                        "\"availableAt\" : \"2900-01-01T00:00:00Z\"",
                        "\"dueAt\" : \"2900-01-01T00:00:00Z\"",
                        "it is scheduled for later, until 2900-01-01",
                        "\"cause\" : \"scheduled\"",
                        "\"until\" : \"2900-01-01T00:00:00Z\"");
        program.run("enqueue", "k", "2", "--key", "d");
        assertThat(program.run("job", "2", "--json").out())
                .contains("\"dueAt\" : null", "which a worker of queue default has to release");
    }

    @Test
    void fullPausedAndWaitingQueuesAreInTablesAndJson() {
        program.run("set", "limit", "queue", "crawl", "--max-waiting", "1", "--new");
        assertThat(program.run("limits").out()).doesNotContain("is full");
        assertThat(program.run("limits", "--json").out()).contains("\"full\" : false");
        program.run("enqueue", "save", "{}", "--queue", "crawl");
        assertThat(program.run("limits").out()).contains("! queue crawl is full: 1 jobs may wait");
        assertThat(program.run("limits", "--json").out()).contains("\"full\" : true");
        assertThat(program.run("queues", "--json").out()).contains("\"full\" : true", "\"waitsFor\" : [ ]");
        program.run("pause", "key", "sync", "c", "--for", "1h", "--new");
        assertThat(program.run("limits").out()).contains("1 key is paused").doesNotContain("keys sync");
        assertThat(program.run("limits", "--json").out())
                .containsPattern("\"subject\" : \"keys\",\\s+\"name\" : \"sync\"")
                .contains("\"pausedKeys\" : 1");
        program.run("pause", "kind", "save", "--for", "1h", "--new");
        program.run("pause", "queue", "empty", "--for", "1h", "--new");
        assertThat(program.run("queues").out())
                .contains("! queue empty is paused: by an operator, until", "! kind save is paused: by an operator")
                .containsPattern("(?m)^empty ");
        assertThat(program.run("queues", "--json").out())
                .contains("\"name\" : \"empty\"", "queue empty is paused: ", "kind save is paused: ");
    }

    @Test
    void limitsShowTheNumberOfRateLimitedKeys() {
        program.run("set", "limit", "keys", "default", "--at-once", "5", "--rate", "1/1h");
        for (String key : List.of("a", "a", "b", "b", "c")) {
            program.run("enqueue", "save", "{}", "--key", key);
        }
        program.run("work", "--until-empty", "--handler", "save=exec:true");
        assertThat(program.run("limits").out())
                .contains("KEYS WAITING")
                .containsPattern("keys default .* 1 in 1 h +\\d{4}-\\S+ \\S+ \\S+ +2\\n");
        assertThat(program.run("limits", "--json").out()).contains("\"waiting\" : 2");
    }

    @Test
    void skippedJobsHaveAReasonForPrograms() {
        program.run("enqueue", "save", "{}");
        program.run("enqueue", "save", "{}");
        program.run("cancel", "job", "2");
        assertThat(program.run("delete", "job", "1", "2", "9", "--json").out())
                .containsPattern("\"jobId\" : 1,\\s+\"result\" : \"left\",\\s+\"reason\" : \"available\"")
                .containsPattern("\"jobId\" : 2,\\s+\"result\" : \"changed\",\\s+\"reason\" : null")
                .containsPattern("\"jobId\" : 9,\\s+\"result\" : \"left\",\\s+\"reason\" : \"not_found\"");
        program.run("cancel", "job", "1");
        for (List<String> change : List.of(
                List.of("move", "job", "1", "--to", "other", "--new"),
                List.of("reschedule", "job", "1", "--in", "1h"),
                List.of("prioritize", "job", "1", "--to", "4"))) {
            List<String> asJson = new ArrayList<>(change);
            asJson.add("--json");
            assertThat(program.run(asJson.toArray(String[]::new)).out())
                    .as("%s", change)
                    .contains("\"result\" : \"left\"", "\"reason\" : \"cancelled\"", "\"message\"");
        }
    }

    @Test
    void workersAreScaled() {
        program.run("migrate");
        assertThat(program.run("scale", "worker", "1", "5").err()).contains("there is no worker 1, or it has stopped");
        assertThat(program.run("scale", "worker", "1").exit()).isEqualTo(2);
        assertThat(program.run("scale", "queue", "mail", "1", "5").exit()).isEqualTo(2);
        assertThat(program.run("scale", "queue", "mail", "5").err())
                .contains("queue mail has no live worker that can be scaled");
        assertThat(program.run("scale", "worker", "1", "0").err()).contains("tell it to be quiet");
        try (DatabaseOptions.Session session = session();
                Worker worker = Worker.on(session.queue())
                        .concurrency(3)
                        .maxConcurrency(8)
                        .extend(registry -> registry.encoded(
                                "save", (payload, run) -> Outcome.completed(), HandlerOptions.DEFAULTS))
                        .start()) {
            String id = Long.toString(worker.id());
            assertThat(program.run("scale", "worker", id, "9").err()).contains("its program allows 8");
            assertThat(program.run("scale", "worker", id, "6").out())
                    .contains("worker " + id + " runs 6 at once within ten seconds");
            assertThat(program.run("workers").out()).contains("3 -> 6");
            assertThat(program.run("scale", "queue", "default", "20").out())
                    .contains("worker " + id
                            + " runs 8 at once within ten seconds, which is all that its program allows");
        }
    }

    @Test
    void weightsAreSetOnTheCommandLine() {
        program.run("migrate");
        program.run("enqueue", "save", "{}");
        assertThat(program.run(
                                "work",
                                "--until-empty",
                                "--handler",
                                "save=exec:true",
                                "--concurrency",
                                "4",
                                "--weight",
                                "save=4",
                                "--max-heap-use",
                                "85%",
                                "--max-concurrency",
                                "8")
                        .out())
                .contains("completed 1");
        assertThat(program.run("work", "--handler", "save=exec:true", "--weight", "save=11")
                        .err())
                .contains("takes 11 places, and the worker has 10");
        assertThat(program.run("work", "--handler", "save=exec:true", "--weight", "other=2")
                        .err())
                .contains("--weight other: there is no --handler of this kind");
        assertThat(program.run("work", "--handler", "save=exec:true", "--max-heap-use", "much")
                        .err())
                .contains("use 50% to 99%");
    }

    @Test
    void workersArePaused() {
        program.run("migrate");
        assertThat(program.run("pause", "worker", "1").exit()).isEqualTo(1);
        program.run("enqueue", "save", "{}");
        program.run("work", "--until-empty", "--handler", "save=exec:true");
        Program.Result stopped = program.run("stop", "worker", "1");
        assertThat(stopped.exit()).isEqualTo(1);
        assertThat(stopped.err()).contains("there is no worker 1, or it has stopped");
    }

    @Test
    void theRetentionThatProgramsHaveStoredIsShownAndRemoved() {
        program.run("migrate");
        assertThat(program.run("retentions").out())
                .contains("all others: completed ones for 1 d", "no program has set it");
        assertThat(program.run("remove", "retention", "program").err()).contains("no program has stored a retention");
        SQLiteDataSource file = new SQLiteDataSource();
        file.setUrl(program.url());
        try (JobQueue queue = JobQueue.builder(file)
                        .retention(Retention.DEFAULTS.completed(Duration.ofDays(30)))
                        .open();
                Worker worker = Worker.on(queue)
                        .queues("none")
                        .handle(JobType.of("none", String.class), (text, run) -> {})
                        .start()) {
            assertThat(worker.id()).isPositive();
        }
        assertThat(program.run("retentions").out())
                .contains("all others: completed ones for 30 d", "pawl remove retention program");
        assertThat(program.run("retentions", "--json").out())
                .contains("\"subject\" : \"program\"", "\"completed\" : \"PT720H\"");
        assertThat(program.run("remove", "retention", "program", "x").err()).contains("has no name");
        assertThat(program.run("remove", "retention", "queue").err()).contains("give the name of the queue");
        assertThat(program.run("remove", "retention", "program").out())
                .contains("the retention that programs have stored is removed");
        assertThat(program.run("retentions").out()).contains("no program has set it");
    }

    @Test
    void aRetentionIsSetShownAndRemoved() {
        program.run("migrate");
        assertThat(program.run("retentions").out()).contains("no queue or kind has a retention of its own");
        assertThat(program.run(
                                "set",
                                "retention",
                                "queue",
                                "audit",
                                "--completed",
                                "365d",
                                "--discarded",
                                "365d",
                                "--new")
                        .out())
                .contains("jobs of queue audit are kept: completed for 365 d, discarded for 365 d");
        assertThat(program.run("set", "retention", "queue", "audit", "--cancelled", "30d")
                        .out())
                .contains("completed for 365 d, cancelled for 30 d, discarded for 365 d; before: completed for 365 d");
        assertThat(program.run("set", "retention", "queue", "audit", "--cancelled", "none")
                        .out())
                .contains("are kept: completed for 365 d, discarded for 365 d; before");
        assertThat(program.run("set", "retention", "kind", "save", "--completed", "0s", "--new")
                        .exit())
                .isZero();
        assertThat(program.run("set", "retention", "kind", "save", "--completed", "none")
                        .err())
                .contains("that would leave no retention");
        assertThat(program.run("retentions").out()).contains("queue audit", "365 d", "kind save", "0 ms");
        assertThat(program.run("retentions", "--json").out())
                .contains("\"name\" : \"audit\"", "\"completed\" : \"PT8760H\"", "\"cancelled\" : null");
        program.run("enqueue", "save", "{}");
        long audited = 2;
        program.run("enqueue", "save.all", "{}", "--queue", "audit");
        program.run("work", "--until-empty", "--handler", "save=exec:true");
        program.run("work", "--until-empty", "--queues", "audit", "--handler", "save.all=exec:true");
        assertThat(program.run("prune", "--completed", "0s").out()).contains("pruned 1 job(s)");
        assertThat(program.run("job", "" + audited).out()).contains("completed");
        assertThat(program.run("set", "retention", "keys", "audit", "--completed", "1d")
                        .err())
                .contains("applies to a 'queue' or a 'kind'");
        assertThat(program.run("set", "retention", "kind", "save").err()).contains("a retention needs --completed");
        assertThat(program.run("set", "retention", "kind", "save", "--discarded", "0s")
                        .err())
                .contains("must be more than zero");
        assertThat(program.run("remove", "retention", "queue", "audit").out()).contains("is removed");
        assertThat(program.run("remove", "retention", "queue", "audit").exit()).isEqualTo(1);
        assertThat(program.run("prune", "--completed", "0s").out()).contains("pruned 1 job(s)");
    }

    @Test
    void limitsAreSetPausedAndRemoved() {
        program.run("migrate");
        assertThat(program.run("limits").out()).contains("no limits");
        assertThat(program.run("set", "limit", "kind", "save", "--at-once", "2", "--rate", "100/1m", "--new")
                        .out())
                .contains("kind save: at most 2 at once, at most 100 starts in 1 min");
        assertThat(program.run("set", "limit", "queue", "mail", "--at-once", "5", "--new")
                        .out())
                .contains("queue mail: at most 5 at once");
        assertThat(program.run("set", "limit", "queue", "mail", "--rate", "10/1s")
                        .out())
                .contains("queue mail: at most 5 at once, at most 10 starts in 1 s; before: at most 5 at once");
        assertThat(program.run("set", "limit", "queue", "mail", "--at-once", "none")
                        .out())
                .contains("queue mail: at most 10 starts in 1 s; before: at most 5 at once, at most 10");
        assertThat(program.run("set", "limit", "queue", "mail", "--rate", "none")
                        .err())
                .contains("that would leave no limit: pawl remove limit queue mail");
        assertThat(program.run("set", "limit", "queue", "mail", "--at-once", "many")
                        .err())
                .contains("--at-once 'many' is not valid");
        assertThat(program.run("limits").out()).contains("queue mail", "kind save", "100 in 1 min");
        assertThat(program.run("limits", "--json").out())
                .contains("\"subject\" : \"kind\"", "\"atOnce\" : 2", "\"starts\" : 100", "\"per\" : \"PT1M\"");
        assertThat(program.run("pause", "kind", "save", "--for", "1h", "--reason", "the disk is full")
                        .out())
                .contains("kind save is paused for 1 h");
        assertThat(program.run("limits").out()).contains("until 2", "the disk is full");
        assertThat(program.run("doctor").out()).contains("kind save", "the disk is full");
        program.run("enqueue", "save", "{}");
        assertThat(program.run("job", "1").out()).contains("! kind save is paused: the disk is full, until 2");
        assertThat(program.run("queues").out()).contains("! kind save is paused: the disk is full, until 2");
        assertThat(program.run("resume", "kind", "save").out()).contains("kind save runs again");
        assertThat(program.run("job", "1").out()).doesNotContain("is paused");
        assertThat(program.run("work", "--until-empty", "--handler", "save=exec:true")
                        .exit())
                .isZero();
        assertThat(program.run("remove", "limit", "kind", "save").out()).contains("is removed");
        assertThat(program.run("remove", "limit", "kind", "save").exit()).isEqualTo(1);
        assertThat(program.run("limits").out()).contains("queue mail").doesNotContain("save");
    }

    @Test
    void oneKeyIsPaused() {
        program.run("migrate");
        assertThat(program.run("limits", "--keys").out()).contains("no key is paused");
        program.run("enqueue", "save", "{}", "--key", "ada");
        assertThat(program.run("pause", "key", "default", "ada", "--for", "1h", "--reason", "she asked for it", "--new")
                        .out())
                .contains("key ada of queue default is paused for 1 h");
        assertThat(program.run("limits", "--keys").out()).contains("default", "ada", "until 2", "she asked for it");
        assertThat(program.run("limits").out()).contains("no limits", "1 key is paused: pawl limits --keys");
        assertThat(program.run("doctor").out()).contains("the jobs of a key are paused", "she asked for it");
        assertThat(program.run("job", "1").out())
                .contains("! its key is paused: she asked for it, until 2", "pawl resume key default ada");
        assertThat(program.run("pause", "key", "default", "--for", "1h").err()).contains("KEY");
        assertThat(program.run("resume", "key", "default", "bob").err())
                .contains("no job of queue default has the key bob");
        assertThat(program.run("resume", "key", "default", "bob", "--new").out())
                .contains("was not paused");
        assertThat(program.run("resume", "key", "default", "ada").out())
                .contains("key ada of queue default runs again");
        assertThat(program.run("work", "--until-empty", "--handler", "save=exec:true")
                        .exit())
                .isZero();
    }

    @Test
    void commandsToCopyHaveTheWholeKey() {
        String key = "Ada's key: " + "x".repeat(80);
        program.run("enqueue", "save", "{}", "--key", key);
        program.run("pause", "key", "default", key, "--for", "1h");
        assertThat(program.run("job", "1").out())
                .contains("pawl resume key default 'Ada'\\''s key: " + "x".repeat(80) + "'");
    }

    @Test
    void allJobsThatMatchAreChangedAtOnce() {
        for (int i = 0; i < 3; i++) {
            program.run("enqueue", "save", "{}", "--tag", "bad", "--delay", "1h");
        }
        program.run("enqueue", "save", "{}");
        assertThat(program.run("cancel", "jobs", "--tag", "bad", "--dry-run").out())
                .contains("3 job(s) match: 3 available; nothing was changed");
        assertThat(program.run("move", "jobs", "--tag", "bad", "--to", "mail", "--new")
                        .out())
                .contains("3 job(s) are in queue mail");
        assertThat(program.run("reschedule", "jobs", "--queue", "mail", "--at", "2031-01-31T08:00:00Z")
                        .out())
                .contains("3 job(s) are available at 2031-01-31T08:00:00Z");
        assertThat(program.run("prioritize", "jobs", "--queue", "mail", "--to", "-7", "--yes")
                        .out())
                .contains("3 job(s) have priority -7");
        assertThat(program.run("prioritize", "job", "1", "--to", "9").out()).contains("job 1 has priority 9");
        assertThat(program.run("job", "2").out()).contains("priority         -7");
        assertThat(program.run("prioritize", "job", "1", "--to", "99999").exit())
                .isEqualTo(2);
        assertThat(program.run("cancel", "jobs", "--queue", "mail").out())
                .contains("3 job(s) are cancelled, or asked to stop");
        assertThat(program.run("retry", "jobs", "--state", "cancelled", "--json")
                        .out())
                .contains("\"changed\" : 3");
        assertThat(program.run("cancel", "jobs", "--queue", "mail").out()).contains("3 job(s) are cancelled");
        assertThat(program.run("delete", "jobs", "--state", "cancelled").out()).contains("3 job(s) are deleted");
        assertThat(program.run("jobs").out()).contains("save").doesNotContain("mail");
        for (List<String> wrong : List.of(
                List.of("cancel"),
                List.of("cancel", "1"),
                List.of("cancel", "job"),
                List.of("cancel", "job", "1", "--tag", "bad"),
                List.of("delete", "--state", "cancelled"),
                List.of("delete", "jobs"))) {
            assertThat(program.run(wrong.toArray(String[]::new)).exit())
                    .as("%s", wrong)
                    .isEqualTo(2);
        }
    }

    @Test
    void retryAllTakesOnlyWhatHasFailed() {
        program.run("enqueue", "good", "{}");
        program.run("enqueue", "good", "{}");
        program.run("enqueue", "bad", "{}", "--max-attempts", "1");
        program.run("work", "--until-empty", "--handler", "good=exec:true", "--handler", "bad=exec:false");
        program.run("enqueue", "late", "{}", "--delay", "1h");
        String[] dry = {"retry", "jobs", "--queue", "default", "--dry-run"};
        assertThat(program.run(dry).out())
                .contains(
                        "1 job(s) match: 1 discarded; those that have not failed are left alone unless --state names their state");
        assertThat(program.run("retry", "jobs", "--queue", "default", "--dry-run", "--json")
                        .out())
                .contains("\"matching\" : 1", "\"discarded\" : 1")
                .doesNotContain("completed", "available");
        assertThat(program.run("retry", "jobs", "--queue", "default").out()).contains("1 job(s) are available now");
        assertThat(program.run("retry", "jobs", "--state", "available", "--kind", "late")
                        .out())
                .contains("1 job(s) are available now");
        assertThat(program.run("retry", "jobs", "--state", "completed", "--dry-run")
                        .out())
                .contains("2 job(s) match: 2 completed; nothing was changed");
        assertThat(program.run("retry", "jobs", "--state", "completed").out()).contains("2 job(s) are available now");
    }

    @Test
    void failuresAreGroupedByTheirReason() {
        program.run("enqueue", "one", "{}", "--max-attempts", "1");
        program.run("enqueue", "two", "{}", "--max-attempts", "1");
        String trace = "=exec:printf 'Traceback (most recent call last):\\n  File \"x.py\"\\n%s\\n\\n' ";
        program.run(
                "work",
                "--until-empty",
                "--handler",
                "one" + trace + "'KeyError: name' >&2; exit 1",
                "--handler",
                "two" + trace + "'ValueError: no date' >&2; exit 1");
        assertThat(program.run("failures").out()).contains("exit #: KeyError: name", "exit #: ValueError: no date");
        assertThat(program.run("job", "1").out())
                .contains("exit 1: KeyError: name")
                .contains("Traceback (most recent call last):");
    }

    @Test
    void jobsAreRescheduledAndEditedWithRelativeTimes() {
        program.run("enqueue", "save", "{}", "--delay", "1h");
        assertThat(program.run("reschedule", "job", "1", "--in", "0s").out()).contains("job 1 is available at 2");
        assertThat(program.run("queues", "--json").out()).contains("\"available\" : 1", "\"delayed\" : 0");
        assertThat(program.run("edit", "job", "1", "--in", "2h").out()).contains("is changed");
        assertThat(program.run("queues", "--json").out()).contains("\"available\" : 0", "\"delayed\" : 1");
        assertThat(program.run("reschedule", "job", "1").err()).contains("--at 2030-01-31T08:00:00Z or --in 2h");
        assertThat(program.run("edit", "job", "1", "--in", "2h", "--at", "2030-01-31T08:00:00Z")
                        .err())
                .contains("use --at or --in, not both");
    }

    @Test
    void payloadsAreReadFromStandardInput() {
        InputStream before = System.in;
        try {
            System.setIn(new ByteArrayInputStream("{\"name\": \"Zoë\"}\n".getBytes(StandardCharsets.UTF_8)));
            assertThat(program.run("enqueue", "save", "-").out()).contains("inserted job 1");
            System.setIn(new ByteArrayInputStream("\"Zo\u00eb\"".getBytes(StandardCharsets.ISO_8859_1)));
            assertThat(program.run("enqueue", "save", "-").err()).contains("is not UTF-8");
        } finally {
            System.setIn(before);
        }
        assertThat(program.run("job", "1").out()).contains("{\"name\":\"Zoë\"}");
    }

    /** The launcher reports that there is a terminal. */
    @Test
    void bulkChangesRequireConfirmationOnATerminal() {
        program.run("enqueue", "save", "{}", "--delay", "1h");
        program.run("enqueue", "save", "{}", "--delay", "1h");
        InputStream before = System.in;
        System.setProperty("pawl.terminal", "true");
        System.setProperty("pawl.keyboard", "true");
        try {
            for (String no : List.of("n\n", "\n", "")) {
                System.setIn(new ByteArrayInputStream(no.getBytes(StandardCharsets.UTF_8)));
                Program.Result asked = program.run("cancel", "jobs", "--kind", "save");
                assertThat(asked.err()).contains("2 job(s) match: 2 available. Continue? [y/N] ");
                assertThat(asked.out()).contains("nothing was changed");
                assertThat(asked.exit()).isOne();
            }
            assertThat(program.run("cancel", "jobs", "--kind", "other").out()).contains("0 job(s) are cancelled");
            assertThat(program.run("prioritize", "jobs", "--kind", "save", "--to", "3", "--yes")
                            .err())
                    .doesNotContain("Continue?");
            System.setIn(new ByteArrayInputStream("y\n".getBytes(StandardCharsets.UTF_8)));
            assertThat(program.run("cancel", "jobs", "--kind", "save").out()).contains("2 job(s) are cancelled");
        } finally {
            System.setIn(before);
            System.clearProperty("pawl.terminal");
            System.clearProperty("pawl.keyboard");
        }
    }

    @Test
    void waitingJobsAreEditedAndErasedByKey() {
        program.run("enqueue", "save", "{\"n\": 1}", "--delay", "1h", "--key", "customer-17");
        assertThat(program.run("edit", "job", "1").exit()).isEqualTo(2);
        assertThat(program.run("edit", "job", "1", "--payload", "not json").err())
                .contains("--payload is not JSON");
        assertThat(program.run("edit", "job", "1", "--payload", "plain", "--raw")
                        .out())
                .contains("is changed");
        program.run("edit", "job", "1", "--payload", "{\"n\": 1}");
        assertThat(program.run("edit", "job", "1", "--payload", "{\"n\": 2}", "--priority", "3", "--by", "ann")
                        .out())
                .contains("is changed");
        assertThat(program.run("job", "1").out())
                .contains("{\"n\":2}", "changed by ann: priority 0 -> 3; payload, which was: {\"n\": 1}");
        assertThat(program.run("edit", "job", "17", "--priority", "3").err()).contains("does not exist");
        program.run("edit", "job", "1", "--payload", "pawl:aes-gcm:k:AAAA", "--raw");
        Program.Result hidden = program.run("edit", "job", "1", "--payload", "{\"n\": 3}");
        assertThat(hidden.exit()).isEqualTo(2);
        assertThat(hidden.err()).contains("is encrypted", "Nothing was changed", "program that has the key");
        assertThat(program.run("job", "1").out()).contains("pawl:aes-gcm:k:AAAA");
        program.run("enqueue", "save", "{}");
        assertThat(program.run("erase").exit()).isEqualTo(2);
        assertThat(program.run("erase", "jobs", "--key", "customer-17", "--dry-run")
                        .out())
                .contains("1 job(s) match");
        assertThat(program.run("erase", "jobs", "--key", "customer-17").out()).contains("1 job(s) are gone");
        assertThat(program.run("job", "1").err()).contains("there is no job 1");
        assertThat(program.run("jobs", "--json").out()).contains("\"id\" : 2");
    }

    @Test
    void queueStrategiesAreSetAndWorkersFollow() {
        program.run("enqueue", "save", "{}");
        Program.Result set = program.run("set", "strategy", "default", "optimistic:window=5,pick=first");
        assertThat(set.exit()).as(set.err()).isZero();
        assertThat(program.run("queues").out()).contains("optimistic:window=5,pick=first");
        assertThat(program.run("work", "--until-empty", "--handler", "save=exec:true")
                        .out())
                .contains("completed 1");
        assertThat(program.run("set", "strategy", "default", "auto").out()).contains("auto");
        assertThat(program.run("set", "strategy", "default", "skip-locked").err())
                .contains("does not work on sqlite");
        assertThat(program.run("set", "strategy", "default", "hopeful").err())
                .contains("there is no strategy 'hopeful'");
        assertThat(program.run("set", "strategy", "default", "optimistic:window=x")
                        .err())
                .contains("is not a number");
        assertThat(program.run("tune", "--unlogged", "yes").err()).contains("PostgreSQL");
        assertThat(program.run("tune").err()).contains("nothing to do");
    }

    @Test
    void jobsOfACommandTakeNumbersOfASeries() throws IOException {
        Path out = folder.resolve("numbers");
        for (int i = 0; i < 3; i++) {
            program.run("enqueue", "bill", "{}", "--max-attempts", "1");
        }
        String[] work = {
            "work",
            "--until-empty",
            "--concurrency",
            "1",
            "--slot",
            "bill=bills",
            "--handler",
            "bill=exec:test $PAWL_JOB_ID != 2 && echo $PAWL_SLOT >> '" + out + "'"
        };
        assertThat(program.run(work).out()).contains("completed 2", "discarded 1");
        assertThat(Files.readAllLines(out))
                .as("the job that failed has left no gap")
                .containsExactly("1", "2");
        assertThat(program.run("slots").out()).contains("bills", "RELEASED");
        assertThat(program.run("slots", "--json").out()).contains("\"used\" : 2");
        assertThat(program.run("gaps", "bills").out()).contains("no gaps");
        assertThat(program.run("trim", "series", "bills").out()).contains("0 slots");
        assertThat(program.run("free", "slot", "bills", "2").exit()).isEqualTo(1);
        assertThat(program.run("flush", "series", "bills", "others").exit()).isEqualTo(2);
        assertThat(program.run("flush", "series", "bills", "bills").exit()).isZero();
        assertThat(program.run("slots").out()).contains("no series");
    }

    /** The rest of the input is never read. */
    @Test
    void oversizedInputsAreRefusedEarly() throws Exception {
        InputStream before = System.in;
        try {
            AtomicLong read = new AtomicLong();
            InputStream endless = new InputStream() {
                @Override
                public int read() {
                    return read.incrementAndGet() > 50_000_000 ? -1 : ' ';
                }

                @Override
                public int read(byte[] into, int from, int length) {
                    if (read.get() > 50_000_000) {
                        return -1;
                    }
                    Arrays.fill(into, from, from + length, (byte) ' ');
                    read.addAndGet(length);
                    return length;
                }
            };
            System.setIn(endless);
            assertThat(program.run("enqueue", "save", "-").err()).contains("standard input is larger than a payload");
            assertThat(read.get()).isLessThan(10_000_000);
            read.set(0);
            assertThat(program.run("enqueue", "save", "--lines", "-").err())
                    .contains("line 1 of the input is larger than a payload");
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void commandsMayPrintLinesLongerThanTheLogKeeps() {
        program.run("enqueue", "save");
        program.run(
                "work",
                "--until-empty",
                "--handler",
                "save=exec:head -c 9000000 /dev/zero | tr '\\0' x; echo; echo next");
        assertThat(program.run("job", "1").out()).contains(": xxxx", ": next");
    }
}
