package dev.pawl.manager;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A worker without a handler: the test answers for it and calls managers for it. */
final class RawWorker implements AutoCloseable {
    static final String SECRET = "a-secret-of-the-test";

    /** Jobs that were posted to it. */
    final BlockingQueue<Protocol.Job> taken = new LinkedBlockingQueue<>();
    /** How it answers to a job. */
    volatile Responder responder = exchange -> answer(exchange, 202, "");

    private final CountDownLatch closing = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);

    /** An answer to a job. */
    interface Responder {
        void answer(HttpExchange exchange) throws IOException;
    }

    RawWorker() throws IOException {
        this("\"work\"");
    }

    /** Accepts jobs of these kinds, given as JSON. */
    RawWorker(String kinds) throws IOException {
        server.setExecutor(threads);
        on("/health", exchange -> answer(exchange, 200, "{\"capacity\": 5, \"kinds\": [" + kinds + "]}"));
        on("/jobs", exchange -> {
            try {
                taken.add(Protocol.job(exchange.getRequestBody().readAllBytes()));
            } catch (Protocol.Violation e) {
                throw new IOException(e);
            }
            responder.answer(exchange);
        });
        server.start();
    }

    void on(String path, Responder answer) {
        server.createContext(path, answer::answer);
    }

    URI url() {
        return URI.create("http://localhost:" + server.getAddress().getPort());
    }

    static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** Keeps the caller waiting until the worker is closed. */
    void hang() {
        try {
            closing.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    Protocol.Job nextTaken() throws InterruptedException {
        Protocol.Job job = taken.poll(60, TimeUnit.SECONDS);
        assertThat(job).as("a job was given to the worker").isNotNull();
        return job;
    }

    /** {@return the manager's answer to a call about a run} */
    int call(Protocol.Job job, String what) throws Exception {
        return call(job, what, job.token());
    }

    int call(Protocol.Job job, String what, String token) throws Exception {
        return call(SECRET, job, what, Map.of("token", token, "outcome", "completed", "percent", 1));
    }

    int call(@Nullable String secret, Protocol.Job job, String what, Map<String, Object> message) throws Exception {
        return send(secret, job.callback() + "/jobs/" + job.id() + "/" + what, Protocol.write(new HashMap<>(message)));
    }

    int send(@Nullable String secret, String url, byte[] body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(20))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        if (secret != null) {
            request.header("Authorization", "Bearer " + secret);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
