package dev.pawl.manager;

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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.ToIntFunction;
import tools.jackson.databind.JsonNode;

/**
 * Managers whose answers to a worker are scripted by the test. All share one server, where the first part of a call's path is the manager's
 * name.
 */
final class ScriptedManagers implements AutoCloseable {
    static final Secret SECRET = new Secret("a-secret-of-the-test");
    /** Instead of a status: never answers. */
    static final int NOTHING = 0;

    private static final Duration SOON = Duration.ofSeconds(60);

    /** Calls so far, in order. */
    final List<ReceivedCall> received = new CopyOnWriteArrayList<>();
    /** The status of the answer to a call; for 302 and 307 the redirect leads to the manager "stranger". */
    volatile ToIntFunction<ReceivedCall> script = ScriptedManagers::healthy;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final HttpClient client = HttpClient.newHttpClient();

    /**
     * A call of a worker.
     *
     * @param manager that was called
     * @param what renew, progress or outcome
     * @param message of the worker
     */
    record ReceivedCall(String manager, String what, JsonNode message) {}

    ScriptedManagers() throws IOException {
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /** Answers as a healthy manager does. */
    static int healthy(ReceivedCall call) {
        return call.what().equals("outcome") ? 204 : 200;
    }

    String url(String manager) {
        return "http://localhost:" + server.getAddress().getPort() + "/" + manager;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String[] path = exchange.getRequestURI().getPath().split("/", -1); // /MANAGER/jobs/1/WHAT
        ReceivedCall call;
        try {
            call = new ReceivedCall(
                    path[1], path[4], Protocol.parse(exchange.getRequestBody().readAllBytes()));
        } catch (Protocol.Violation e) {
            throw new IOException(e);
        }
        received.add(call);
        int status = script.applyAsInt(call);
        if (status == NOTHING) {
            awaitClosing();
        }
        byte[] body = "{\"leaseSeconds\": 30}".getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Location", "/stranger/jobs/1/" + path[4]);
        exchange.sendResponseHeaders(status, status == 200 ? body.length : -1);
        if (status == 200) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    private void awaitClosing() {
        try {
            closing.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Polls the worker's state, which also makes this manager known to it. */
    JsonNode poll(WorkerServer worker, String manager) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + worker.port() + "/health"))
                .timeout(SOON)
                .header("Authorization", SECRET.header())
                .header(HttpSettings.CALLBACK_HEADER, url(manager))
                .build();
        return Protocol.parse(
                client.send(request, HttpResponse.BodyHandlers.ofByteArray()).body());
    }

    /** {@return the status with which the worker answers to a job from this manager} */
    int give(WorkerServer worker, String manager) throws Exception {
        return giveFrom(worker, url(manager));
    }

    int giveFrom(WorkerServer worker, String callback) throws Exception {
        return give(worker, callback, 30);
    }

    /** {@return the status with which the worker answers to a job from a manager that waits this many seconds} */
    int give(WorkerServer worker, String callback, double answerSeconds) throws Exception {
        Protocol.Job job = new Protocol.Job(
                1,
                "work",
                "default",
                1,
                3,
                "{}",
                Map.of(),
                "token",
                1,
                60,
                1,
                answerSeconds,
                callback,
                null,
                null,
                1,
                null);
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + worker.port() + "/jobs"))
                .timeout(SOON)
                .header("Authorization", SECRET.header())
                .POST(HttpRequest.BodyPublishers.ofByteArray(Protocol.write(job)))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
