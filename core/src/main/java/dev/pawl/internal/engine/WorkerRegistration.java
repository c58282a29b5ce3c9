package dev.pawl.internal.engine;

import dev.pawl.api.DatabaseException;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.QueueAndKind;
import dev.pawl.internal.store.WorkerDirectory;
import dev.pawl.internal.store.WorkerRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** The worker's row in the database, written when first needed, so that a worker can start before its database does. */
final class WorkerRegistration implements LongSupplier {
    private final WorkerDirectory directory;
    private final JobStore store;
    private final WorkerConfig config;
    private final Map<String, String> schedules;
    private final RunTally tally;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile long id;
    /** Concurrency in the row; used by the heartbeat. */
    private int written;

    /** Concurrency that an operator has commanded, that the worker has followed, and that is still in the row; 0 for none. */
    private int wanted;

    /**
     * @param schedules declared by the program, in the format of the row
     */
    WorkerRegistration(
            WorkerDirectory directory,
            JobStore store,
            WorkerConfig config,
            Map<String, String> schedules,
            RunTally tally) {
        this.directory = directory;
        this.store = store;
        this.config = config;
        this.schedules = schedules;
        this.tally = tally;
        this.written = config.concurrency();
    }

    @Override
    public long getAsLong() {
        if (id == 0) {
            lock.lock();
            try {
                if (id == 0) {
                    id = directory.register(
                            config.name(),
                            config.order().names(),
                            config.handlers().kinds(),
                            config.concurrency(),
                            config.maxConcurrency(),
                            schedules);
                }
            } catch (SQLException e) {
                throw new DatabaseException("cannot register the worker", e, store.isTransient(e));
            } finally {
                lock.unlock();
            }
        }
        return id;
    }

    /** {@return the queues and kinds of waiting jobs that no live worker handles} */
    List<QueueAndKind> uncovered() throws SQLException {
        return directory.uncovered();
    }

    /**
     * {@return the command for this worker, without a concurrency that it has already followed} A concurrency that was followed but could
     * not be removed from the row must not override one that the program has set since.
     */
    WorkerRequest heartbeat() throws SQLException {
        WorkerRequest command = directory.heartbeat(getAsLong(), tally.json());
        int concurrency = command.concurrency() == null ? 0 : command.concurrency();
        boolean isKnown = concurrency == wanted;
        wanted = concurrency;
        return isKnown ? new WorkerRequest(command.command(), null) : command;
    }

    /** Writes the current concurrency, if it has changed or was commanded. Called with the heartbeat only. */
    void runs(int handlers) throws SQLException {
        if (handlers != written || wanted != 0) {
            directory.scaled(getAsLong(), handlers, wanted);
            written = handlers;
            wanted = 0;
        }
    }

    /** Announces that the worker will write no heartbeat for this long, although it is alive. */
    void suspended(Duration length) throws SQLException {
        directory.suspended(getAsLong(), length);
    }

    void stopped() throws SQLException {
        if (id != 0) {
            directory.stopped(id, tally.json());
        }
    }
}
