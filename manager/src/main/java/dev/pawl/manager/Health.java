package dev.pawl.manager;

import dev.pawl.admin.RemoteWorkerStatus;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The state of a worker; reports when it changes. Thread-safe. */
final class Health {
    private static final Logger LOG = LoggerFactory.getLogger(Health.class);

    private final Set<String> wanted;
    private final Consumer<RemoteWorkerStatus> listener;
    private RemoteWorkerStatus status;

    /**
     * @param url of the worker
     * @param wanted the manager's kinds
     * @param listener notified when the worker becomes usable or unusable, or the reason changes
     */
    Health(String url, Set<String> wanted, Consumer<RemoteWorkerStatus> listener) {
        this.wanted = Set.copyOf(wanted);
        this.listener = listener;
        this.status = new RemoteWorkerStatus(url, "not polled yet", 0, 0, Set.of());
    }

    synchronized RemoteWorkerStatus status() {
        return status;
    }

    void healthy(int capacity, int running, Set<String> kinds) {
        boolean fits = kinds.isEmpty() || kinds.stream().anyMatch(wanted::contains);
        String problem =
                fits ? null : "it runs jobs of the kinds " + sorted(kinds) + ", and this manager has " + sorted(wanted);
        change(new RemoteWorkerStatus(status().url(), problem, capacity, running, kinds));
    }

    private static String sorted(Set<String> kinds) {
        return String.join(", ", kinds.stream().sorted().toList());
    }

    void unwell(String problem) {
        change(new RemoteWorkerStatus(status().url(), problem, 0, 0, Set.of()));
    }

    private void change(RemoteWorkerStatus now) {
        boolean news;
        synchronized (this) {
            news = !Objects.equals(status.problem(), now.problem());
            status = now;
        }
        if (!news) {
            return;
        }
        if (now.problem() == null) {
            LOG.info("worker {} is well: {} jobs at once", now.url(), now.capacity());
        } else {
            LOG.warn("worker {} gets no jobs: {}", now.url(), now.problem());
        }
        try {
            listener.accept(now);
        } catch (RuntimeException e) {
            LOG.warn("the listener for workers failed", e);
        }
    }

    /** {@return the reason for a status other than 200 from GET /health} */
    static String problem(int status) {
        return switch (status) {
            case 401, 403 -> "it refuses the secret (" + status + "): start both sides with the same PAWL_SECRET";
            case 404 -> "there is no /health (404): is this the URL of a worker?";
            default -> "GET /health is answered with " + status;
        };
    }

    static String problem(Exception error) {
        if (error instanceof ConnectException) {
            return "it cannot be reached: is it running, and are host and port right?";
        }
        if (error instanceof TimeoutException || error instanceof HttpTimeoutException) {
            return "it did not answer in time";
        }
        return "its state cannot be read: " + error;
    }
}
