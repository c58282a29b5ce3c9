package dev.pawl.manager;

import dev.pawl.internal.log.JobsByCause;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends a worker's calls about its runs to the first manager that responds. */
final class Callbacks {
    private static final Logger LOG = LoggerFactory.getLogger(Callbacks.class);
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long AFTER_THE_LEASE = TimeUnit.MINUTES.toNanos(1);

    private static final int GRANTED = 200;
    private static final int RECORDED = 204;
    private static final int UNREADABLE = 400;
    private static final int STALE = 409;
    private static final int TOO_LARGE = 413;
    private static final int NOBODY = 0;

    private final Secret secret;
    private final Managers managers;
    private final JobsByCause warnings;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(LONGEST)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    /** @param warnings about runs, by their cause, because many runs fail for the same reason when a manager dies */
    Callbacks(Secret secret, Managers managers, JobsByCause warnings) {
        this.secret = secret;
        this.managers = managers;
        this.warnings = warnings;
    }

    /** The managers' reply to a renewal. */
    enum Verdict {
        /** The run may continue. */
        GRANTED,
        /** The run is no longer wanted. */
        REFUSED,
        /** No manager could be reached. */
        UNREACHABLE
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Reply(int status, byte[] body, long sentNanos) {
        /** Returns whether a manager itself sent this status; other statuses may come from a proxy or an unauthenticated server. */
        boolean isFinal(int success) {
            return status == success || status == STALE || isUnreadable(status);
        }
    }

    /** Returns whether the message itself is refused, so that a retry would fail too. */
    private static boolean isUnreadable(int status) {
        return status == UNREADABLE || status == TOO_LARGE;
    }

    /** Extends the lease, counted from the moment the call was sent. */
    Verdict renew(WorkerRun run) {
        return granted(run, call(run, "renew", Map.of(), GRANTED));
    }

    /** Reports progress, which also renews the run. */
    Verdict progress(WorkerRun run, int percent) {
        return granted(run, call(run, "progress", Map.of("percent", percent), GRANTED));
    }

    private Verdict granted(WorkerRun run, @Nullable Reply reply) {
        if (reply == null) {
            return Verdict.UNREACHABLE;
        }
        if (reply.status != GRANTED) {
            return Verdict.REFUSED;
        }
        try {
            Duration lease = Protocol.seconds(Protocol.parse(reply.body), "leaseSeconds");
            run.granted(reply.sentNanos + lease.toNanos());
            return Verdict.GRANTED;
        } catch (Protocol.Violation e) {
            warnings.add(
                    "invalid response of a manager to a renewal: " + e.getMessage(),
                    run.message().id());
            return Verdict.UNREACHABLE;
        }
    }

    /**
     * Retries until a manager records or refuses the outcome, or the lease has been expired for a minute. The run is
     * renewed as usual during that time. If the call is refused for its size, it is sent again without the log, because
     * a proxy may accept less than a manager does; if that is refused too, the run is reported as failed so that the
     * job need not wait for its lease to expire.
     */
    void report(WorkerRun run, Map<String, Object> outcome) {
        int status = deliver(run, outcome);
        if (status == TOO_LARGE) {
            Map<String, Object> brief = new HashMap<>(outcome);
            brief.put("log", List.of("its log was refused as too large"));
            status = deliver(run, brief);
        }
        if (isUnreadable(status)) {
            status = deliver(
                    run,
                    Map.of("outcome", "failed", "error", "the outcome of this run was refused with status " + status));
        }
        if (status != RECORDED && status != NOBODY) {
            warnings.add(
                    "the outcome is refused with " + status
                            + ": it was already recorded, or the job no longer belongs to this worker",
                    run.message().id());
        }
    }

    /** {@return the status of the first manager that answered} */
    private int deliver(WorkerRun run, Map<String, Object> outcome) {
        for (long pause = PAUSE;
                System.nanoTime() - run.leaseEnd() < AFTER_THE_LEASE;
                pause = Math.min(4 * PAUSE, 2 * pause)) {
            Reply reply = call(run, "outcome", outcome, RECORDED);
            if (reply != null) {
                if (isUnreadable(reply.status)) {
                    warnings.add(
                            "the outcome is refused with " + reply.status,
                            run.message().id());
                }
                return reply.status;
            }
            try {
                TimeUnit.NANOSECONDS.sleep(pause);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        warnings.add(
                "the outcome could not be reported to any manager; the job will run again",
                run.message().id());
        return NOBODY;
    }

    /** Returns null if no manager gave a valid answer. */
    private @Nullable Reply call(WorkerRun run, String what, Map<String, Object> fields, int success) {
        Map<String, Object> message = new HashMap<>(fields);
        message.put("token", run.message().token());
        byte[] body = Protocol.write(message);
        for (String manager : managers.inOrder()) {
            try {
                Reply reply = post(manager + "/jobs/" + run.message().id() + "/" + what, body, patience(run));
                if (reply.isFinal(success)) {
                    managers.heardFrom(manager);
                    return reply;
                }
                LOG.debug(
                        "manager {} answers {} to {} job {}",
                        manager,
                        reply.status,
                        what,
                        run.message().id());
            } catch (IOException | TimeoutException | IllegalArgumentException e) {
                LOG.debug(
                        "cannot {} job {} with manager {}", what, run.message().id(), manager, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return null;
            }
        }
        return null;
    }

    /** Bounds the wait for one manager, so that the lease does not expire during that wait while other managers respond. */
    private static Duration patience(WorkerRun run) {
        Duration heartbeat = Duration.ofNanos(run.heartbeatNanos());
        return heartbeat.compareTo(SHORTEST) < 0 ? SHORTEST : heartbeat.compareTo(LONGEST) > 0 ? LONGEST : heartbeat;
    }

    private Reply post(String url, byte[] body, Duration patience)
            throws IOException, InterruptedException, TimeoutException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(patience)
                .header("Authorization", secret.header())
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        long sent = System.nanoTime();
        CompletableFuture<HttpResponse<byte[]>> response = client.sendAsync(request, BoundedBody.handler());
        try {
            HttpResponse<byte[]> given = response.get(patience.toNanos(), TimeUnit.NANOSECONDS);
            return new Reply(given.statusCode(), given.body(), sent);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } finally {
            response.cancel(true);
        }
    }
}
