package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.servers.Delay;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code pawl work --metrics-port}. */
class MetricsOptionsTest {
    private final HttpClient client = HttpClient.newHttpClient();

    private HttpResponse<String> get(String url, String method) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(url))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Uses a socket, because Java's client cannot send another host name. */
    private static String statusAs(int port, String host) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write(("GET /metrics HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .findFirst()
                    .orElse("");
        }
    }

    /** The job runs until the metrics have been read. */
    @Test
    void metricsAreServedWhileTheWorkerRuns(@TempDir Path folder) throws Exception {
        Program program = Program.onFile(folder);
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        program.run("enqueue", "look");
        CompletableFuture<Program.Result> work = CompletableFuture.supplyAsync(() -> program.run(
                "work",
                "--until-empty",
                "--metrics-port",
                Integer.toString(port),
                "--metrics-every",
                "1s",
                "--handler",
                "look=exec:until [ -e " + folder.resolve("go") + " ]; do sleep 0.1; done"));
        String url = "http://localhost:" + port;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        String metrics = "";
        while (!metrics.contains("pawl_job_started_total{kind=\"look\",queue=\"default\"} 1.0")
                || !metrics.contains("pawl_queue_depth{queue=\"default\",state=\"running\"} 1.0")
                || !metrics.contains("pawl_worker_concurrency 10.0")
                || !metrics.contains("pawl_workers 1.0")) {
            assertThat(System.nanoTime() - deadline)
                    .as("waited for a minute:\n%s", metrics)
                    .isNegative();
            Delay.poll(50); // a starting server sends no signal
            try {
                metrics = get(url + "/metrics", "GET").body();
            } catch (ConnectException notYet) {
                metrics = "";
            }
        }
        assertThat(get(url + "/", "GET").statusCode()).isEqualTo(404);
        HttpResponse<String> posted = get(url + "/metrics", "POST");
        assertThat(posted.statusCode()).isEqualTo(405);
        assertThat(posted.headers().firstValue("Allow")).hasValue("GET, HEAD");
        assertThat(get(url + "/metrics", "HEAD").statusCode()).isEqualTo(200);
        assertThat(statusAs(port, "localhost:" + port)).contains(" 200 ");
        assertThat(statusAs(port, "rebound.example:" + port)).contains(" 421 ");
        Files.createFile(folder.resolve("go"));
        Program.Result result = work.get(60, TimeUnit.SECONDS);
        assertThat(result.out()).contains("completed 1");
        assertThat(result.err()).contains("metrics at http://127.0.0.1:" + port + "/metrics");
    }

    @Test
    void invalidOptionsAreRefused(@TempDir Path folder) throws Exception {
        Program program = Program.onFile(folder);
        program.run("migrate");
        String[] work = {"work", "--until-empty", "--handler", "k=exec:true", "--metrics-port"};
        assertThat(program.run(with(work, "70000")).err()).contains("--metrics-port '70000' is not valid");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Program.Result result = program.run(with(work, Integer.toString(taken.getLocalPort())));
            assertThat(result.exit()).isEqualTo(2);
            assertThat(result.err())
                    .contains("--metrics-port: cannot listen on localhost, port " + taken.getLocalPort());
        }
    }

    private static String[] with(String[] words, String last) {
        String[] all = Arrays.copyOf(words, words.length + 1);
        all[words.length] = last;
        return all;
    }
}
