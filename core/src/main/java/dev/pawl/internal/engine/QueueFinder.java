package dev.pawl.internal.engine;

import dev.pawl.internal.store.WorkerDirectory;
import java.sql.SQLException;
import java.util.List;

/** Looks for queues that match what a worker claims from, and says in its row which ones it has found. Thread-safe. */
final class QueueFinder {
    private final MatchingQueues queues;
    private final WorkerDirectory directory;
    private final WorkerRegistration registration;
    private final FetchSignal signal;
    private List<String> written = List.of();

    QueueFinder(MatchingQueues queues, WorkerDirectory directory, WorkerRegistration registration, FetchSignal signal) {
        this.queues = queues;
        this.directory = directory;
        this.registration = registration;
        this.signal = signal;
    }

    synchronized void look() throws SQLException {
        if (queues.found(directory.waitingQueues())) {
            signal.look();
        }
        List<String> names = queues.names();
        if (!names.equals(written)) {
            directory.claimsFrom(registration.getAsLong(), names);
            written = names;
        }
    }
}
