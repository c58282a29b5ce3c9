package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DashboardCommandTest {
    @TempDir
    private Path folder;

    /** Completes with the first printed address. */
    private static final class Printed extends StringWriter {
        private static final Pattern URL = Pattern.compile("http://localhost:\\d+\\S*/");

        private final CompletableFuture<String> url = new CompletableFuture<>();

        @Override
        public void flush() {
            Matcher found = URL.matcher(toString());
            if (found.find()) {
                url.complete(found.group());
            }
        }
    }

    private final Printed out = new Printed();
    private final Printed err = new Printed();

    private Thread start(String... arguments) {
        Thread program = new Thread(() -> {
            int unused = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
        });
        program.start();
        return program;
    }

    private static HttpResponse<String> get(String url, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
        return HttpClient.newHttpClient()
                .send(
                        (headers.length == 0 ? request : request.headers(headers)).build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void queuesAreShownUntilTheProgramIsStopped() throws Exception {
        Program program = Program.onFile(folder);
        program.run("enqueue", "mail.send");
        Thread running = start(
                "dashboard",
                "--listen",
                "0",
                "--prefix",
                "/pawl",
                "--read-only",
                "--db",
                folder.resolve("test.db").toString());
        String url = out.url.get(60, TimeUnit.SECONDS);
        assertThat(url).endsWith("/pawl/");
        assertThat(get(url + "jobs").body()).contains("mail.send", "read-only");
        running.interrupt();
        running.join();
        assertThat(err.toString()).doesNotContain("unexpected");
    }

    @Test
    void otherDatabasesAreShownBesideTheFirst() throws Exception {
        Program.onFile(folder).run("enqueue", "letter.send");
        Path other = folder.resolve("other.db");
        new Program(other.toString()).run("enqueue", "invoice.print");
        Thread running = start(
                "dashboard",
                "--listen",
                "0",
                "--name",
                "orders",
                "--also",
                "invoices=" + other,
                "--db",
                folder.resolve("test.db").toString());
        String url = out.url.get(60, TimeUnit.SECONDS);
        assertThat(get(url + "jobs").body())
                .contains("letter.send", "Jobs · orders", "/databases/invoices/jobs")
                .doesNotContain("invoice.print");
        assertThat(get(url + "databases/invoices/jobs").body())
                .contains("invoice.print", "Jobs · invoices")
                .doesNotContain("letter.send");
        running.interrupt();
        running.join();
        assertThat(err.toString()).doesNotContain("unexpected");

        Program wrong = Program.onFile(folder);
        assertThat(wrong.run("dashboard", "--also", "nowhere").err()).contains("PAWL_DB_NOWHERE");
        assertThat(wrong.run("dashboard", "--also", "main=" + other).err()).contains("two databases");
        assertThat(wrong.run("dashboard", "--also", "a=" + other, "--also", "a=" + other)
                        .err())
                .contains("two databases");
        assertThat(wrong.run("dashboard", "--also", "a=" + other, "--metrics-port", "0"))
                .matches(result -> result.exit() == 2 && result.err().contains("metrics of one database"));
    }

    @Test
    void aReplicaOfTheEnvironmentIsTakenOnlyIfItHasAUrl() {
        assertThat(DashboardCommand.replicaUrl(null, null)).isNull();
        assertThat(DashboardCommand.replicaUrl(null, " ")).isNull();
        assertThat(DashboardCommand.replicaUrl(null, "two.db")).isEqualTo("two.db");
        assertThat(DashboardCommand.replicaUrl("one.db", "two.db")).isEqualTo("one.db");
    }

    /** Otherwise the pages of one shard would show the jobs of another. */
    @Test
    void aReplicaOfAnotherShardIsRefused() {
        String a = "a=" + folder.resolve("a.db");
        String b = "b=" + folder.resolve("b.db");
        assertThat(Program.plain("migrate", "--shard", a, "--shard", b).exit()).isZero();
        assertThat(Program.plain("enqueue", "mail", "--only", "a", "--shard", a, "--shard", b)
                        .exit())
                .isZero();
        for (String[] wrong : new String[][] {
            {"--shard", a, "--shard", b, "--replica", folder.resolve("b.db").toString()},
            {"--shard", a, "--shard", "b=" + folder.resolve("a.db")}
        }) {
            List<String> words = new ArrayList<>(List.of("dashboard", "--listen", "0"));
            words.addAll(List.of(wrong));
            Program.Result refused = Program.plain(words.toArray(String[]::new));
            assertThat(refused.exit()).isNotZero();
            assertThat(refused.err()).contains("have the ids of shard");
        }
    }

    /** The first reachable shard takes its place. */
    @Test
    void aFirstShardThatCannotBeReachedIsLeftOut() throws Exception {
        List<String> shards =
                List.of("--shard", "a=postgres://u:secret@127.0.0.1:1/none", "--shard", "b=" + folder.resolve("b.db"));
        List<String> enqueue = new ArrayList<>(List.of("enqueue", "letter.send", "--only", "b"));
        enqueue.addAll(shards);
        assertThat(Program.plain(enqueue.toArray(String[]::new)).exit()).isZero();
        List<String> words = new ArrayList<>(List.of("dashboard", "--listen", "0"));
        words.addAll(shards);
        Thread running = start(words.toArray(String[]::new));
        String url = out.url.get(60, TimeUnit.SECONDS);
        assertThat(get(url + "jobs").body()).contains("letter.send");
        running.interrupt();
        running.join();
        assertThat(err.toString()).contains("the database 'a' is not shown").doesNotContain("secret");
    }

    @Test
    void aMalformedNameOfADatabaseIsNotRepeatedBecauseItMayBeAUrlWithAPassword() {
        Program program = Program.onFile(folder);
        program.run("migrate");
        for (String wrong : new String[] {
            "postgres://app:secret@localhost:1/jobs",
            "postgres://app:secret@localhost:1/jobs?sslmode=disable",
            "=postgres://app:secret@localhost:1/jobs"
        }) {
            assertThat(program.run("dashboard", "--listen", "0", "--also", wrong))
                    .as(wrong)
                    .matches(result -> result.exit() == 2
                            && result.err().contains("write NAME=URL")
                            && !result.err().contains("secret"));
        }
    }

    @Test
    void aDatabaseThatCannotBeReachedIsLeftOut() throws Exception {
        Program.onFile(folder).run("enqueue", "letter.send");
        Path other = folder.resolve("other.db");
        new Program(other.toString()).run("enqueue", "invoice.print");
        Thread running = start(
                "dashboard",
                "--listen",
                "0",
                "--also",
                "gone=postgres://app:secret@localhost:1/jobs",
                "--also",
                "invoices=" + other,
                "--db",
                folder.resolve("test.db").toString());
        String url = out.url.get(60, TimeUnit.SECONDS);
        assertThat(get(url + "jobs").body()).contains("letter.send").doesNotContain("/databases/gone");
        assertThat(get(url + "databases/invoices/jobs").body()).contains("invoice.print");
        assertThat(err.toString())
                .contains("pawl: warning: the database 'gone' is not shown")
                .doesNotContain("secret");
        running.interrupt();
        running.join();
    }

    @Test
    void queueMetricsAreServedToo() throws Exception {
        Program program = Program.onFile(folder);
        program.run("enqueue", "mail.send", "--queue", "mail");
        Thread running = start(
                "dashboard",
                "--listen",
                "0",
                "--metrics-port",
                "0",
                "--metrics-every",
                "1s",
                "--db",
                folder.resolve("test.db").toString());
        String url = out.url.get(60, TimeUnit.SECONDS);
        Matcher metrics = Pattern.compile("metrics at (\\S+/metrics)").matcher(out.toString());
        assertThat(metrics.find()).as("%s: %s", url, out).isTrue();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> get(metrics.group(1)).body().contains("pawl_queue_depth{queue=\"mail\""));
        running.interrupt();
        running.join();
    }

    @Test
    void tokensComeFromFiles() throws Exception {
        Program program = Program.onFile(folder);
        program.run("migrate");
        Path token = Files.writeString(folder.resolve("token"), "a-token-of-operators\n");
        Thread running = start(
                "dashboard",
                "--listen",
                "0",
                "--token-file",
                token.toString(),
                "--db",
                folder.resolve("test.db").toString());
        String url = out.url.get(60, TimeUnit.SECONDS);
        assertThat(get(url + "api/queues").statusCode()).isEqualTo(401);
        assertThat(get(url + "api/queues", "Authorization", "Bearer a-token-of-operators")
                        .statusCode())
                .isEqualTo(200);
        running.interrupt();
        running.join();
    }

    @Test
    void alertsArePrinted() throws Exception {
        Program program = Program.onFile(folder);
        program.run("enqueue", "mail.send", "--queue", "mail");
        Thread running = start(
                "alerts",
                "--alert",
                "oldest:mail=PT0.001S",
                "--db",
                folder.resolve("test.db").toString());
        await().atMost(Duration.ofSeconds(60))
                .until(() -> out.toString().contains("the oldest job of queue mail has waited for"));
        running.interrupt();
        running.join();
        assertThat(program.run("alerts").err()).contains("--alert oldest=PT10M");
        assertThat(program.run("alerts", "--alert", "hope").err()).contains("is not a rule for alerts");
        assertThat(program.run("alerts", "--alert", "stalled", "--webhook", "http://localhost:99999/")
                        .err())
                .contains("the address of the webhook is not valid");
        assertThat(program.run("dashboard", "--listen", "0", "--webhook", "https://chat.example.com/hook")
                        .err())
                .contains("no alert rule: add --alert");
        assertThat(program.run("dashboard", "--listen", "0", "--alert", "stalled")
                        .out())
                .as("no address is printed before all options are checked")
                .isEmpty();
        assertThat(program.run("dashboard", "--listen", "0", "--alert", "stalled")
                        .err())
                .contains("--webhook");
        assertThat(program.run("dashboard", "--listen", "0", "--link", "Logs=javascript:alert(1)")
                        .err())
                .contains("https://");
    }

    @Test
    void theDemonstrationIsShown() throws Exception {
        Files.writeString(folder.resolve("file"), "line\n");
        Thread running = start(
                "demo",
                folder.toString(),
                "--workers",
                "2",
                "--dashboard",
                "0",
                "--db",
                folder.resolve("demo.db").toString());
        String url = err.url.get(60, TimeUnit.SECONDS);
        assertThat(get(url + "jobs").statusCode()).isEqualTo(200);
        running.interrupt();
        running.join();
    }

    @Test
    void invalidOptionsAreRefusedWithTheReason() throws Exception {
        Program program = Program.onFile(folder);
        program.run("migrate");
        Path shortToken = Files.writeString(folder.resolve("token"), "short");
        assertThat(program.run("dashboard", "--token-file", shortToken.toString()))
                .matches(result -> result.exit() == 2 && result.err().contains("at least 16"));
        assertThat(program.run(
                        "dashboard", "--token-file", folder.resolve("none").toString()))
                .matches(result -> result.exit() == 2 && result.err().contains("cannot read the token"));
        assertThat(program.run("dashboard", "--listen", "0.0.0.0:0"))
                .matches(result -> result.exit() == 2 && result.err().contains("for this machine only"));
        assertThat(program.run("dashboard", "--prefix", "pawl/"))
                .matches(result -> result.exit() == 2 && result.err().contains("write it like /pawl"));
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(program.run("dashboard", "--listen", Integer.toString(taken.getLocalPort())))
                    .matches(result -> result.exit() == 2 && result.err().contains("cannot listen on"));
        }
        assertThat(Program.onFile(folder.resolve("nowhere")).run("dashboard").exit())
                .isEqualTo(2);
    }
}
