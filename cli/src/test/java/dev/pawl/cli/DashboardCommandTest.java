package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DashboardCommandTest {
    @TempDir
    private Path folder;

    /** Tells of the first address that is printed. */
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
    void aQueueIsShownUntilTheProgramIsStopped() throws Exception {
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
    void whatCannotBeIsRefusedWithTheReason() throws Exception {
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
