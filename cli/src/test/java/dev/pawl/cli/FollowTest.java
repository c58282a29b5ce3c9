package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Worker;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobHandler;
import dev.pawl.api.JobRequest;
import dev.pawl.api.Outcome;
import dev.pawl.api.RetryPolicy;
import dev.pawl.servers.Delay;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code pawl job ID --follow}, beside a worker that runs the job. */
@Timeout(120)
class FollowTest {
    private static final long TIMEOUT_SECONDS = 60;

    @TempDir
    private Path folder = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private DatabaseOptions.Session session() {
        DatabaseOptions options = new DatabaseOptions();
        new CommandLine(options).parseArgs("--db", folder.resolve("test.db").toString());
        return options.open(4);
    }

    private static long enqueue(DatabaseOptions.Session session, int attempts) {
        return session.queue()
                .enqueue(new JobRequest("save", "{}", EnqueueOptions.DEFAULTS.maxAttempts(attempts)))
                .jobId();
    }

    private static Worker work(DatabaseOptions.Session session, JobHandler.WithOutcome<String> handler) {
        return Worker.on(session.queue())
                .retryPolicy(RetryPolicy.fixed(Duration.ofSeconds(1)))
                .extend(registry -> registry.encoded("save", handler, HandlerOptions.DEFAULTS))
                .start();
    }

    private CompletableFuture<Integer> follow(long id, String... options) {
        List<String> words = new ArrayList<>(List.of("job", Long.toString(id), "--follow"));
        words.addAll(List.of("--db", folder.resolve("test.db").toString()));
        words.addAll(List.of(options));
        return CompletableFuture.supplyAsync(
                () -> Main.run(new PrintWriter(out, true), new PrintWriter(err, true), words.toArray(String[]::new)));
    }

    private void awaitOutput(String text) throws InterruptedException {
        awaitOutput(out::toString, text);
    }

    private static void awaitOutput(Supplier<String> reported, String text) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (!reported.get().contains(text)) {
            assertThat(System.nanoTime() - deadline)
                    .as("waited for '%s' in:%n%s", text, reported.get())
                    .isNegative();
            Delay.poll(20); // printed output sends no signal to wait for
        }
    }

    private static int exit(CompletableFuture<Integer> follower) throws Exception {
        return follower.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    /** {@return the lines of the output, without their times} */
    private List<String> reported() {
        return out.toString().lines().map(line -> line.substring(27)).toList();
    }

    @Test
    void eventsArePrintedUntilTheJobHasEnded() throws Exception {
        try (DatabaseOptions.Session session = session()) {
            long id = enqueue(session, 5);
            CompletableFuture<Integer> follower = follow(id);
            awaitOutput("available");
            try (Worker worker = work(session, (payload, run) -> {
                run.log("line of attempt " + run.attempt());
                if (run.attempt() == 1) {
                    throw new IllegalStateException("no disk\nand more");
                }
                run.progress(40);
                awaitOutput("progress 40 %"); // reported while the job runs
                awaitOutput("line of attempt 2");
                run.log("last words");
                return Outcome.completed();
            })) {
                assertThat(exit(follower)).isZero();
                String number = ", worker " + worker.id();
                assertThat(reported())
                        .contains(
                                "attempt 1: line of attempt 1",
                                "attempt 1 failed: java.lang.IllegalStateException: no disk",
                                "running, attempt 2 of 5" + number,
                                "attempt 2: line of attempt 2",
                                "progress 40 %",
                                "attempt 2: last words",
                                "completed")
                        .doesNotHaveDuplicates();
                assertThat(reported().get(0)).startsWith("available, from ");
                assertThat(reported()).last().isEqualTo("completed");
                assertThat(out.toString()).doesNotContain("and more");
            }
        }
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void theExitCodeReportsTheOutcome() throws Exception {
        try (DatabaseOptions.Session session = session()) {
            long discarded = enqueue(session, 1);
            long cancelled = enqueue(session, 1);
            session.queue().admin().jobs().cancel(cancelled);
            try (Worker worker = work(session, (payload, run) -> {
                throw new IllegalStateException("no disk");
            })) {
                assertThat(exit(follow(discarded))).isOne();
                assertThat(worker.isAlive()).isTrue();
            }
            assertThat(reported())
                    .contains("attempt 1 failed: java.lang.IllegalStateException: no disk")
                    .last()
                    .isEqualTo("discarded: its only attempt failed");
            assertThat(exit(follow(cancelled))).isOne();
            assertThat(reported()).last().asString().startsWith("cancelled");
        }
    }

    @Test
    void programsGetAnObjectOnEachLine() throws Exception {
        try (DatabaseOptions.Session session = session()) {
            long id = enqueue(session, 5);
            CompletableFuture<Integer> follower = follow(id, "--json");
            awaitOutput("available");
            try (Worker worker = work(session, (payload, run) -> {
                run.log("a line");
                run.progress(7);
                if (run.attempt() == 1) {
                    awaitOutput("\"percent\":7");
                    awaitOutput("a line");
                    return Outcome.retryAfter(Duration.ZERO, "not yet");
                }
                return Outcome.completed();
            })) {
                assertThat(exit(follower)).isZero();
                assertThat(worker.isAlive()).isTrue();
            }
            JsonMapper mapper = JsonMapper.builder().build();
            List<JsonNode> events = out.toString().lines().map(mapper::readTree).toList();
            assertThat(events).allMatch(event -> event.get("jobId").asLong() == id && event.has("at"));
            assertThat(events)
                    .extracting(event -> event.get("event").asString())
                    .contains("log", "progress", "failed");
            assertThat(events)
                    .anyMatch(event -> event.path("error").asString("").equals("not yet"));
            JsonNode last = events.get(events.size() - 1);
            assertThat(last.get("state").asString()).isEqualTo("completed");
            assertThat(last.get("attempt").asInt()).isEqualTo(2);
        }
    }

    @Test
    void missingJobsAreNamed() throws Exception {
        try (DatabaseOptions.Session session = session()) {
            assertThat(exit(follow(99))).isOne();
            assertThat(err.toString())
                    .isEqualTo("pawl: there is no job 99 (or it was pruned)" + System.lineSeparator());
            long id = enqueue(session, 1);
            CompletableFuture<Integer> follower = follow(id);
            awaitOutput("available");
            session.queue().admin().jobs().changeAll(JobFilter.ALL, new JobChange.Erase(), count -> {});
            assertThat(exit(follower)).isOne();
            assertThat(err.toString()).contains("job " + id + " was deleted");
        }
    }

    /** The worker writes the lines of a run up to a second after its end, perhaps after a follower has started. */
    @Test
    void lateLinesOfRecentlyEndedJobsAreAwaited() throws Exception {
        try (DatabaseOptions.Session session = session()) {
            long id = enqueue(session, 1);
            try (Worker worker = work(session, (payload, run) -> Outcome.completed())) {
                assertThat(worker.awaitIdle(Duration.ofSeconds(TIMEOUT_SECONDS)))
                        .isTrue();
            }
            CompletableFuture<Integer> follower = follow(id);
            Delay.quiet(200); // the follower has polled the finished job when the line arrives
            execute("INSERT INTO pawl_job_log (job_id, attempt, logged_at, line) VALUES (" + id
                    + ", 1, 0, 'last words')");
            assertThat(exit(follower)).isZero();
            assertThat(out.toString()).contains("last words");
        }
    }

    @Test
    void shortOutagesAreRetried() throws Exception {
        try (DatabaseOptions.Session session = session()) {
            long id = enqueue(session, 1);
            CompletableFuture<Integer> follower = follow(id);
            awaitOutput("available");
            execute("ALTER TABLE pawl_job_history RENAME TO away");
            execute("ALTER TABLE pawl_job RENAME TO also_away");
            awaitOutput(err::toString, "trying again for 5 min");
            execute("ALTER TABLE also_away RENAME TO pawl_job");
            execute("ALTER TABLE away RENAME TO pawl_job_history");
            awaitOutput(err::toString, "the database responds again");
            try (Worker worker = work(session, (payload, run) -> Outcome.completed())) {
                assertThat(exit(follower)).isZero();
                assertThat(worker.isAlive()).isTrue();
            }
            assertThat(reported()).last().isEqualTo("completed");
            assertThat(err.toString()).hasLineCount(2);
        }
    }

    @Test
    void longOutagesEndTheCommand() throws Exception {
        try (DatabaseOptions.Session session = session()) {
            long id = enqueue(session, 1);
            execute("ALTER TABLE pawl_job RENAME TO away");
            List<String> notices = new ArrayList<>();
            JobFollower follower = new JobFollower(
                    session.queue().admin(), id, new OutageRetry(Duration.ofMillis(1500), notices::add));
            assertThatThrownBy(() -> follower.follow(event -> {}, () -> true)).isInstanceOf(DatabaseException.class);
            assertThat(notices).hasSize(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:sqlite:" + folder.resolve("test.db") + "?busy_timeout=10000");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /**
     * The test sends SIGTERM. A terminal would send SIGINT, which ends the JVM in the same way, but background processes may ignore SIGINT.
     */
    @Test
    void aSignalEndsTheCommandQuietly() throws Exception {
        try (DatabaseOptions.Session session = session()) {
            long id = enqueue(session, 1);
            Path output = folder.resolve("output");
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Main.class.getName(),
                            "job",
                            Long.toString(id),
                            "--follow",
                            "--db",
                            folder.resolve("test.db").toString())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                awaitOutput(() -> read(output), "available");
                process.destroy();
                assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
                assertThat(process.exitValue()).isNotZero();
                assertThat(read(output).lines()).hasSize(1);
            } finally {
                process.destroyForcibly();
            }
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
