package dev.pawl.internal.engine;

import dev.pawl.internal.store.WorkerDirectory;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** Looks for queues that match what a worker claims from, and says in its row which ones it has found. Thread-safe. */
final class QueueFinder {
    private final MatchingQueues queues;
    private final WorkerDirectory directory;
    private final WorkerRegistration registration;
    private final FetchSignal signal;
    private final ReentrantLock looking = new ReentrantLock();
    private List<String> written = List.of();

    QueueFinder(MatchingQueues queues, WorkerDirectory directory, WorkerRegistration registration, FetchSignal signal) {
        this.queues = queues;
        this.directory = directory;
        this.registration = registration;
        this.signal = signal;
    }

    /** Whoever comes while another looks goes on without. */
    void look() throws SQLException {
        if (looking.tryLock()) {
            try {
                lookAround();
            } finally {
                looking.unlock();
            }
        }
    }

    private void lookAround() throws SQLException {
        if (queues.found(directory.waitingQueues(queues::matches))) {
            signal.look();
        }
        List<String> names = queues.names();
        if (!names.equals(written)) {
            directory.claimsFrom(registration.getAsLong(), names);
            written = names;
        }
    }
}
