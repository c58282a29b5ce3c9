package dev.pawl.internal.engine;

import dev.pawl.internal.store.WorkerDirectory;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** Searches for queues that match the worker's patterns, and lists them in its row. Thread-safe. */
final class QueueFinder {
    private final MatchingQueues queues;
    private final WorkerDirectory directory;
    private final WorkerRegistration registration;
    private final FetchSignal signal;
    private final ReentrantLock searching = new ReentrantLock();
    private List<String> written = List.of();

    QueueFinder(MatchingQueues queues, WorkerDirectory directory, WorkerRegistration registration, FetchSignal signal) {
        this.queues = queues;
        this.directory = directory;
        this.registration = registration;
        this.signal = signal;
    }

    /** Returns at once if another thread is searching. */
    void refresh() throws SQLException {
        if (searching.tryLock()) {
            try {
                findAndRegister();
            } finally {
                searching.unlock();
            }
        }
    }

    private void findAndRegister() throws SQLException {
        if (queues.found(directory.waitingQueues(queues::matches))) {
            signal.poll();
        }
        List<String> names = queues.names();
        if (!names.equals(written)) {
            directory.claimsFrom(registration.getAsLong(), names);
            written = names;
        }
    }
}
