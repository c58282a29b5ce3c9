package dev.pawl.manager;

import dev.pawl.admin.RemoteWorkerStatus;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.Job;
import dev.pawl.api.JobRun;
import dev.pawl.api.Outcome;
import dev.pawl.spi.RemoteRun;
import dev.pawl.spi.RemoteRun.Renewal;
import dev.pawl.spi.RemoteRuns;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Gives jobs to a worker over HTTP. Does not wait for jobs that the worker has accepted: the run continues there, and
 * the worker reports to any manager. Redirects are not followed; responses are bounded in time and size.
 */
final class HttpChannel implements WorkerChannel {
    private static final Logger LOG = LoggerFactory.getLogger(HttpChannel.class);
    private static final Duration CONNECT = Duration.ofSeconds(5);

    private final URI uri;
    private final HttpSettings settings;
    private final HttpClient client;
    private final RemoteRuns runs;
    private final Circuit circuit = new Circuit();
    private final Capacity available = new Capacity();
    private final Health health;
    /** The last failed call. */
    private volatile String failure = "";

    /**
     * @param uri of the worker
     * @param settings the same for all workers
     * @param runs the runs
     * @param health tracks the worker's state
     */
    HttpChannel(URI uri, HttpSettings settings, RemoteRuns runs, Health health) {
        this.uri = uri;
        this.settings = settings;
        this.runs = runs;
        this.health = health;
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
        return circuit.allows(System.nanoTime()) ? available.free() : 0;
    }

    @Override
    public boolean isUsable() {
        return status().problem() == null;
    }

    @Override
    public Set<String> kinds() {
        return health.status().kinds();
    }

    RemoteWorkerStatus status() {
        RemoteWorkerStatus status = health.status();
        return status.problem() != null || circuit.allows(System.nanoTime())
                ? status
                : new RemoteWorkerStatus(name(), failure, status.capacity(), status.running(), status.kinds());
    }

    /** Records that the worker has reported the end of one of its jobs. */
    void ended() {
        available.ended();
    }

    /** Polls the worker's state and sends it this manager's URL. One thread calls this every few seconds. */
    void poll() {
        try {
            HttpRequest request = request("/health")
                    .timeout(settings.pollTimeout())
                    .header(HttpSettings.CALLBACK_HEADER, settings.callback())
                    .GET()
                    .build();
            HttpResponse<byte[]> response = send(request, settings.pollTimeout());
            if (response.statusCode() != 200) {
                unreachable(Health.problem(response.statusCode()));
                return;
            }
            JsonNode node = Protocol.parse(response.body());
            int capacity = (int) Math.max(0, Math.min(10_000, Protocol.number(node, "capacity")));
            available.reported(capacity, Protocol.running(node));
            health.healthy(capacity, Protocol.running(node).orElse(0), Set.copyOf(Protocol.kinds(node)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | TimeoutException e) {
            unreachable(Health.problem(e));
        } catch (Protocol.Violation e) {
            unreachable("invalid answer to GET /health: " + e.getMessage());
        }
    }

    private void unreachable(String problem) {
        available.unreachable();
        health.unwell(problem);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(uri + path))
                .header("Authorization", settings.secret().header());
    }

    @Override
    public Optional<Outcome> run(Assignment assignment, JobRun run) throws Exception {
        RemoteRun remote = new RemoteRun(assignment.job().id(), run.leaseToken(), name());
        available.offer();
        circuit.begin();
        boolean accepted = false;
        try {
            boolean silent = assignment.options().probe() != null;
            if (silent && !begin(remote, assignment.options())) {
                return Optional.empty();
            }
            HttpRequest message = message(assignment, remote);
            Optional<Outcome> outcome;
            try {
                outcome = offer(message, remote, run);
            } catch (NotTaken e) {
                if (silent) {
                    runs.withdraw(remote);
                }
                throw e;
            }
            accepted = outcome.isEmpty();
            return outcome;
        } catch (DatabaseException e) {
            throw new NotTaken("job " + remote.jobId() + " cannot be assigned now: " + e.getMessage());
        } finally {
            circuit.ended();
            available.answered(accepted);
        }
    }

    /** Begins the run on behalf of a worker that does not call back, with a lease as long as the run may take. */
    private boolean begin(RemoteRun run, KindOptions options) {
        Duration lease = options.longest().plus(settings.answer());
        return runs.renew(run, lease, lease, null) == Renewal.RENEWED;
    }

    private Optional<Outcome> offer(HttpRequest message, RemoteRun remote, JobRun run) throws Exception {
        HttpResponse<byte[]> response;
        try {
            response = send(message, settings.answer());
        } catch (ConnectException | HttpConnectTimeoutException e) {
            failed(Health.problem(e));
            unreachable(Health.problem(e));
            throw new NotTaken("worker " + name() + " cannot be reached: " + e);
        } catch (IOException | TimeoutException e) {
            failed("it received a job and did not answer: " + e);
            return unknown(remote, "worker " + name() + " received the job and did not answer: " + e);
        } catch (InterruptedException e) {
            return unknown(remote, "this manager stops while worker " + name() + " has the job");
        }
        int status = response.statusCode();
        if (status == 202 || status == 409) {
            circuit.succeeded();
            return Optional.empty();
        }
        if (status == 200) {
            available.done();
            return Optional.of(answered(response, run));
        }
        if (status == 429 || status == 503) {
            circuit.succeeded(); // the worker is reachable and refuses
            available.refused();
            throw new NotTaken("worker " + name() + " is full");
        }
        String answer = "answered " + status + " instead of 200 or 202";
        failed("it " + answer);
        String text = "worker " + name() + " " + answer;
        if (status >= 500) {
            return unknown(remote, text);
        }
        if (status < 400 || status == 401 || status == 403 || status == 404) {
            throw new NotTaken(text);
        }
        throw new RunFailed(text + ": " + new String(response.body(), StandardCharsets.UTF_8));
    }

    private void failed(String why) {
        failure = why;
        circuit.failed(System.nanoTime());
    }

    /**
     * Leaves the run to the worker, which may have begun it, or may begin it until the lease expires. If the worker does, it reports to any
     * manager. If not, the job is retried after the lease.
     */
    private static Optional<Outcome> unknown(RemoteRun run, String why) {
        LOG.info("job {} is left to its lease: {}", run.jobId(), why);
        return Optional.empty();
    }

    private HttpRequest message(Assignment assignment, RemoteRun run) {
        Job job = assignment.job();
        KindOptions options = assignment.options();
        byte[] message = Protocol.write(new Protocol.Job(
                job.id(),
                job.kind(),
                job.queue(),
                job.attempt(),
                job.maxAttempts(),
                job.payload(),
                job.headers(),
                new AssignmentToken(run, options.longest(), settings.realm().get()).sign(settings.secret()),
                run.leaseToken(),
                Protocol.seconds(options.maxRunTime()),
                Protocol.seconds(settings.heartbeat()),
                Protocol.seconds(settings.answer()),
                settings.callback(),
                job.key().orElse(null),
                job.batch().isPresent() ? (Long) job.batch().getAsLong() : null,
                job.cost(),
                job.expiresAt().map(Instant::toString).orElse(null)));
        return request("/jobs")
                .timeout(settings.answer())
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(message))
                .build();
    }

    /** The request's own timeout ends with the headers; this one also covers the body. */
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

    private Outcome answered(HttpResponse<byte[]> response, JobRun run) throws RunFailed {
        try {
            JsonNode node = Protocol.parse(response.body());
            Reports.log(node).forEach(run::log);
            String failure = Protocol.failure(node);
            Outcome outcome = failure == null ? Protocol.outcome(node) : Outcome.completed();
            circuit.succeeded();
            if (failure != null) {
                throw new RunFailed(failure);
            }
            return outcome;
        } catch (Protocol.Violation e) {
            String text = "sent an invalid outcome: " + e.getMessage();
            failed("it " + text);
            throw new RunFailed("worker " + name() + " " + text);
        }
    }
}
