package dev.pawl.manager;

import dev.pawl.Job;
import dev.pawl.JobRun;
import dev.pawl.Outcome;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** A worker behind HTTP. Redirects are not followed; answers are bounded in time and size. */
final class HttpChannel implements WorkerChannel {
    private static final Logger LOG = LoggerFactory.getLogger(HttpChannel.class);
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration HEALTH = Duration.ofSeconds(5);
    private static final int MISSED_HEARTBEATS = 3;

    private final URI uri;
    private final Secret secret;
    private final HttpClient client;
    private final LiveAssignments assignments;
    private final @Nullable String callback;
    private final Duration answerTimeout;
    private final Function<String, KindOptions> options;
    private final Circuit circuit = new Circuit();
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile int capacity;
    private volatile Set<String> kinds = Set.of();

    HttpChannel(
            URI uri,
            Secret secret,
            LiveAssignments assignments,
            @Nullable String callback,
            Duration answerTimeout,
            Function<String, KindOptions> options) {
        this.uri = uri;
        this.secret = secret;
        this.assignments = assignments;
        this.callback = callback;
        this.answerTimeout = answerTimeout;
        this.options = options;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    @Override
    public String name() {
        return uri.toString();
    }

    @Override
    public int free() {
        return circuit.allows(System.nanoTime()) ? capacity - inFlight.get() : 0;
    }

    @Override
    public Set<String> kinds() {
        return kinds;
    }

    /** Asks the worker how it is. Called every few seconds by one thread. */
    void look() {
        try {
            HttpResponse<byte[]> response =
                    send(request("/health").timeout(HEALTH).GET().build(), HEALTH);
            if (response.statusCode() != 200) {
                throw new IOException("GET /health answered " + response.statusCode());
            }
            JsonNode health = Protocol.parse(response.body());
            kinds = Set.copyOf(Protocol.kinds(health));
            capacity = (int) Math.max(0, Math.min(10_000, Protocol.number(health, "capacity")));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | TimeoutException | Protocol.Violation e) {
            if (capacity > 0) {
                LOG.warn("worker {} is not well: {}", name(), e.toString());
            }
            capacity = 0;
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(uri + path)).header("Authorization", secret.header());
    }

    @Override
    public Outcome run(Assignment assignment, JobRun run) throws Exception {
        inFlight.incrementAndGet();
        circuit.begin();
        LiveAssignments.Live live = assignments.begin(run);
        try {
            HttpResponse<byte[]> response = post(assignment, live);
            if (response.statusCode() == 202) {
                circuit.succeeded();
                return await(assignment, live);
            }
            if (response.statusCode() == 200) {
                return answered(response, run);
            }
            throw refused(response);
        } finally {
            assignments.end(run, live);
            inFlight.decrementAndGet();
        }
    }

    private HttpResponse<byte[]> post(Assignment assignment, LiveAssignments.Live live) throws Exception {
        Job job = assignment.job();
        byte[] message = Protocol.write(new Protocol.Job(
                job.id(),
                job.kind(),
                job.queue(),
                job.attempt(),
                job.maxAttempts(),
                job.payload(),
                live.token,
                job.leaseToken(),
                Protocol.seconds(assignment.maxRunTime()),
                Protocol.seconds(assignment.heartbeat()),
                callback));
        HttpRequest request = request("/jobs")
                .timeout(answerTimeout)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(message))
                .build();
        try {
            return send(request, answerTimeout);
        } catch (ConnectException | HttpConnectTimeoutException e) {
            circuit.failed(System.nanoTime());
            capacity = 0; // until it looks well again
            throw new NotTaken("worker " + name() + " cannot be reached: " + e);
        } catch (IOException | TimeoutException e) {
            circuit.failed(System.nanoTime());
            throw new Unknown("worker " + name() + " was given the job and did not answer: " + e, e);
        }
    }

    /** The request's own timeout ends when the headers are there; this one covers a body that never ends, too. */
    private HttpResponse<byte[]> send(HttpRequest request, Duration timeout)
            throws IOException, InterruptedException, TimeoutException {
        CompletableFuture<HttpResponse<byte[]>> response = client.sendAsync(request, BoundedBody.handler());
        try {
            return response.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException io) {
                throw io;
            }
            throw new IOException(e.getCause());
        } finally {
            response.cancel(true);
        }
    }

    private Outcome answered(HttpResponse<byte[]> response, JobRun run) throws Exception {
        try {
            JsonNode node = Protocol.parse(response.body());
            LiveAssignments.keepLog(run, node);
            String failure = Protocol.failure(node);
            Outcome outcome = failure == null ? Protocol.outcome(node) : Outcome.completed();
            circuit.succeeded();
            if (failure != null) {
                throw new LiveAssignments.RunFailed(failure);
            }
            return outcome;
        } catch (Protocol.Violation e) {
            circuit.failed(System.nanoTime());
            throw new LiveAssignments.RunFailed(
                    "worker " + name() + " answered what is not an outcome: " + e.getMessage());
        }
    }

    private Exception refused(HttpResponse<byte[]> response) {
        int status = response.statusCode();
        if (status == 429 || status == 503) {
            return new NotTaken("worker " + name() + " has no room");
        }
        circuit.failed(System.nanoTime());
        String text = "worker " + name() + " answered " + status + " instead of 200 or 202";
        return status >= 400 && status < 500 && status != 401 && status != 403 && status != 404
                ? new LiveAssignments.RunFailed(
                        text + ": " + new String(response.body(), java.nio.charset.StandardCharsets.UTF_8))
                : new NotTaken(text);
    }

    /** Until it calls back, its probe says that it is done, its time is over, or it is not heard of any more. */
    private Outcome await(Assignment assignment, LiveAssignments.Live live) throws Exception {
        KindOptions kind = options.apply(assignment.job().kind());
        CompletionProbe probe = kind.probe();
        long start = System.nanoTime();
        long deadline = start + assignment.maxRunTime().plus(kind.buffer()).toNanos();
        long patience = assignment.heartbeat().toNanos() * MISSED_HEARTBEATS;
        long step = (probe == null ? Duration.ofSeconds(1) : kind.probeInterval()).toNanos();
        while (true) {
            try {
                return live.outcome.get(step, TimeUnit.NANOSECONDS);
            } catch (ExecutionException e) {
                throw (Exception) e.getCause();
            } catch (TimeoutException notYet) {
                long now = System.nanoTime();
                if (probe != null && isDone(probe, assignment.job())) {
                    return Outcome.completed();
                }
                if (now - deadline >= 0) {
                    throw new LiveAssignments.RunFailed(
                            "worker " + name() + " did not end the job within " + assignment.maxRunTime());
                }
                if (probe == null && now - live.heardNanos() >= patience) {
                    throw new Unknown(
                            "worker " + name() + " took the job and has not been heard of for "
                                    + Duration.ofNanos(patience),
                            null);
                }
            }
        }
    }

    private static boolean isDone(CompletionProbe probe, Job job) {
        try {
            return probe.isDone(job);
        } catch (Exception e) {
            LOG.warn("the probe of job {} cannot tell: {}", job.id(), e.toString());
            return false;
        }
    }

    /** Nobody knows whether the worker runs the job: it may have it again only when that run must be over. */
    static final class Unknown extends Exception {
        private static final long serialVersionUID = 1L;

        Unknown(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
