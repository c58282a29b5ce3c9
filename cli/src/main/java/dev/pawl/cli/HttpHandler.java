package dev.pawl.cli;

import dev.pawl.api.Job;
import dev.pawl.api.JobHandler;
import dev.pawl.api.JobRun;
import dev.pawl.api.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Posts each job to a URL. Does not follow redirects, and reads at most 2,000 bytes of an error response for the message. */
final class HttpHandler implements JobHandler.WithOutcome<String> {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration ANSWER = Duration.ofSeconds(60);
    private static final Duration LONGEST_WAIT = Duration.ofDays(1);
    /** Maximum time to read the body of an error. */
    private static final Duration BODY = Duration.ofSeconds(10);

    private static final int MAX_BYTES = 2_000;
    private static final List<String> TRACE = List.of("traceparent", "tracestate");

    private final URI uri;
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .version(HttpClient.Version.HTTP_1_1) // avoids the h2c upgrade, which some servers refuse
            .build();
    private final HttpOptions options;

    HttpHandler(String url, HttpOptions options) {
        this.options = options;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            throw new UsageException("'" + Texts.cut(url) + "' is not a URL: " + e.getReason());
        }
        String authority = uri.getRawAuthority();
        if (uri.getHost() == null && authority != null && authority.contains("_")) {
            throw new UsageException("'" + Texts.cut(url)
                    + "' cannot be called: Java accepts no host name with an underscore; use another name, or"
                    + " the address");
        }
        if (uri.getHost() == null) {
            throw new UsageException("'" + Texts.cut(url) + "' is not a URL: write it like http://localhost:8080/jobs");
        }
    }

    @Override
    public Outcome handle(String payload, JobRun run) throws IOException, InterruptedException {
        Duration timeout =
                run.timeLeft().filter(left -> left.compareTo(ANSWER) < 0).orElse(ANSWER);
        Job job = run.job();
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        run.slot().ifPresent(slot -> request.header("Pawl-Slot", slot.value()));
        request.timeout(timeout.isZero() ? Duration.ofMillis(1) : timeout)
                .header("Content-Type", "application/json")
                .header("Pawl-Job-Id", Long.toString(job.id()))
                .header("Pawl-Kind", job.kind())
                .header("Pawl-Queue", job.queue())
                .header("Pawl-Attempt", Integer.toString(job.attempt()))
                .header("Pawl-Lease-Token", Long.toString(job.leaseToken()))
                .POST(HttpRequest.BodyPublishers.ofString(payload));
        if (!job.headers().isEmpty()) {
            request.header("Pawl-Headers", Texts.headers(job));
            TRACE.forEach(name -> trace(request, name, job.headers().get(name)));
        }
        job.key().ifPresent(key -> request.header("Pawl-Key", Texts.asciiJson(key)));
        job.batch().ifPresent(batch -> request.header("Pawl-Batch", Long.toString(batch)));
        options.apply(request, payload);
        HttpResponse<InputStream> response = send(request.build(), timeout);
        try (InputStream body = response.body()) {
            return outcome(response, body);
        }
    }

    /**
     * Passes on a job's header for tracing. Other headers are sent only within Pawl-Headers, because the program that enqueues must not
     * control the call's authorization.
     */
    private static void trace(HttpRequest.Builder request, String name, @Nullable String value) {
        if (value != null && value.chars().allMatch(letter -> letter >= ' ' && letter <= '~')) {
            request.header(name, value);
        }
    }

    /** Reads on a separate thread: the client's timeout covers only the headers, and its streams cannot be interrupted. */
    private static String excerpt(InputStream body) throws InterruptedException {
        CompletableFuture<byte[]> read = new CompletableFuture<>();
        Thread reader = new Thread(
                () -> {
                    try {
                        read.complete(body.readNBytes(MAX_BYTES));
                    } catch (IOException e) {
                        read.completeExceptionally(e);
                    }
                },
                "pawl-http-body");
        reader.setDaemon(true);
        reader.start();
        try {
            return new String(read.get(BODY.toSeconds(), TimeUnit.SECONDS), StandardCharsets.UTF_8).strip();
        } catch (TimeoutException | ExecutionException e) {
            return "(could not read the response body)";
        }
    }

    private HttpResponse<InputStream> send(HttpRequest request, Duration timeout)
            throws IOException, InterruptedException {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        } catch (HttpConnectTimeoutException | ConnectException e) {
            String why = e.getMessage();
            throw new HandlerFailure("cannot connect to " + shown() + (why == null ? "" : ": " + why));
        } catch (HttpTimeoutException e) {
            throw new HandlerFailure("no answer from " + shown() + " within " + timeout.toSeconds() + " s");
        } catch (IOException e) {
            throw new HandlerFailure("the call to " + shown() + " failed: " + e.getMessage());
        }
    }

    /** Excludes user information and query, which may be secret. */
    private String shown() {
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        return uri.getScheme() + "://" + uri.getHost() + port + uri.getPath();
    }

    private static Outcome outcome(HttpResponse<?> response, InputStream body)
            throws HandlerFailure, InterruptedException {
        int status = response.statusCode();
        if (status >= 200 && status < 300) {
            return Outcome.completed();
        }
        String text = "HTTP " + status + ": " + excerpt(body);
        if (status == 429 || status == 503) {
            String wait = response.headers().firstValue("Retry-After").orElse(null);
            if (wait != null) {
                return Outcome.unavailable(seconds(wait), text); // the status is about the server, not this job
            }
        }
        throw new HandlerFailure(text);
    }

    /** Parses a number of seconds; the alternative, a date by the server's clock, counts as a minute. */
    private static Duration seconds(String header) {
        try {
            Duration wait = Duration.ofSeconds(Long.parseLong(header.strip()));
            return wait.isNegative() ? Duration.ZERO : wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
        } catch (NumberFormatException date) {
            return Duration.ofMinutes(1);
        }
    }
}
