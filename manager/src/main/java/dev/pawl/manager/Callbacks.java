package dev.pawl.manager;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker's calls to the manager of a job. */
final class Callbacks {
    private static final Logger LOG = LoggerFactory.getLogger(Callbacks.class);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final int TRIES = 6;

    private final Secret secret;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(ANSWER)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    Callbacks(Secret secret) {
        this.secret = secret;
    }

    /** False if the manager says that the run is not wanted any more; one that cannot be reached has said nothing. */
    boolean renew(RemoteRun run) {
        try {
            return post(run, "renew", Map.of()) != 409;
        } catch (IOException e) {
            LOG.debug("cannot renew job {}", run.message().id(), e);
            return true;
        }
    }

    void progress(RemoteRun run, int percent) {
        try {
            post(run, "progress", Map.of("percent", percent));
        } catch (IOException e) {
            LOG.debug("cannot report the progress of job {}", run.message().id(), e);
        }
    }

    /** Tries for about a minute. A manager that is gone does not need the answer: its jobs run again. */
    void report(RemoteRun run, Map<String, Object> outcome) {
        for (int tries = 1; tries <= TRIES; tries++) {
            try {
                int status = post(run, "outcome", outcome);
                if (status != 204) {
                    LOG.warn(
                            "the manager refused the outcome of job {} with {}",
                            run.message().id(),
                            status);
                }
                return;
            } catch (IOException e) {
                LOG.debug("cannot report the outcome of job {}", run.message().id(), e);
                if (!pause(tries)) {
                    return;
                }
            }
        }
        LOG.warn(
                "the outcome of job {} could not be reported; it will run again",
                run.message().id());
    }

    private static boolean pause(int tries) {
        try {
            TimeUnit.MILLISECONDS.sleep(250L << tries);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private int post(RemoteRun run, String what, Map<String, Object> fields) throws IOException {
        String callback = run.message().callback();
        if (callback == null) {
            throw new IOException("the manager cannot be called back: it does not listen");
        }
        Map<String, Object> message = new HashMap<>(fields);
        message.put("token", run.message().token());
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(callback + "/jobs/" + run.message().id() + "/" + what))
                .timeout(ANSWER)
                .header("Authorization", secret.header())
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(Protocol.write(message)))
                .build();
        try {
            return client.send(request, BoundedBody.handler()).statusCode();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (IllegalArgumentException e) {
            throw new IOException("the callback is not a URL", e);
        }
    }
}
