package dev.pawl.manager;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.pawl.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a worker makes of what managers say: the manager is a few lines that give the statuses of the test. */
class WorkerAndManagersTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Secret SECRET = new Secret("a-secret-of-the-test");

    private final AtomicInteger begun = new AtomicInteger();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer manager =
            HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    private final WorkerServer worker = WorkerServer.with(SECRET)
            .answerWithin(Duration.ofSeconds(30))
            .handle("work", (payload, run) -> {
                begun.incrementAndGet();
                return Outcome.completed();
            })
            .start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    /** The status of the n-th call, from zero. */
    private volatile IntUnaryOperator statuses = call -> 200;

    WorkerAndManagersTest() throws IOException {}

    @BeforeEach
    void start() {
        manager.setExecutor(threads);
        manager.createContext("/", this::answer);
        manager.start();
    }

    @AfterEach
    void stop() {
        worker.close();
        manager.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        int status = statuses.applyAsInt(calls.size());
        calls.add(exchange.getRequestURI().getPath());
        exchange.getRequestBody().readAllBytes();
        byte[] body = "{\"leaseSeconds\": 30}".getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, status == 200 ? body.length : -1);
        if (status == 200) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    /** {@return the status with which the worker answers} */
    private int give() throws Exception {
        Protocol.Job job = new Protocol.Job(
                1,
                "work",
                "default",
                1,
                3,
                "{}",
                "token",
                1,
                60,
                1,
                "http://localhost:" + manager.getAddress().getPort());
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + worker.port() + "/jobs"))
                .timeout(SOON)
                .header("Authorization", SECRET.header())
                .POST(HttpRequest.BodyPublishers.ofByteArray(Protocol.write(job)))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void aRunThatWasGrantedBegins() throws Exception {
        assertThat(give()).isEqualTo(200);
        assertThat(begun).hasValue(1);
        assertThat(calls).containsExactly("/jobs/1/renew");
    }

    @Test
    void aRunThatWasRefusedDoesNotBegin() throws Exception {
        statuses = call -> 409;
        assertThat(give()).isEqualTo(409);
        assertThat(begun).hasValue(0);
    }

    /** A balancer, a stranger, a manager whose database is away: none of them has said anything about the run. */
    @Test
    void aRunBeginsOnlyWhenAManagerHasSaidSo() throws Exception {
        statuses = call -> List.of(503, 429, 403, 404, 421, 302).get(call % 6);
        assertThat(give()).isEqualTo(503);
        assertThat(begun).hasValue(0);
        assertThat(calls).hasSizeGreaterThan(2);
    }

    @Test
    void aWorkerAsksAgainUntilAManagerCanSay() throws Exception {
        statuses = call -> call < 3 ? 503 : 200;
        assertThat(give()).isEqualTo(200);
        assertThat(begun).hasValue(1);
    }
}
