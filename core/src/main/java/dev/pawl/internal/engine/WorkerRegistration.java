package dev.pawl.internal.engine;

import dev.pawl.DatabaseException;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.QueueAndKind;
import dev.pawl.internal.store.Wishes;
import dev.pawl.internal.store.WorkerDirectory;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** The worker's row in the database, written when first needed, so that a worker can start before its database does. */
final class WorkerRegistration implements LongSupplier {
    private final WorkerDirectory directory;
    private final JobStore store;
    private final WorkerConfig config;
    private final List<String> schedules;
    private final RunTally tally;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile long id;
    /** As the row has it; used by the heartbeat. */
    private int told;

    /** What somebody wants, is followed, and is still in the row; 0 for nothing. */
    private int wanted;

    /**
     * @param schedules what the row says of the schedules that the program declares
     */
    WorkerRegistration(
            WorkerDirectory directory, JobStore store, WorkerConfig config, List<String> schedules, RunTally tally) {
        this.directory = directory;
        this.store = store;
        this.config = config;
        this.schedules = schedules;
        this.tally = tally;
        this.told = config.concurrency();
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

    /** {@return where jobs wait and no live worker handles them} */
    List<QueueAndKind> uncovered() throws SQLException {
        return directory.uncovered();
    }

    /**
     * {@return what somebody wants this worker to do, and has not been told before} A number that was followed, but could not be taken out of
     * the row, must not override what the program has said since.
     */
    Wishes heartbeat() throws SQLException {
        Wishes wishes = directory.heartbeat(getAsLong(), tally.text());
        int concurrency = wishes.concurrency() == null ? 0 : wishes.concurrency();
        boolean isKnown = concurrency == wanted;
        wanted = concurrency;
        return isKnown ? new Wishes(wishes.wish(), null) : wishes;
    }

    /** Tells how many handlers there are now, if that is news, or if it is what somebody wanted. Beside the heartbeat only. */
    void runs(int handlers) throws SQLException {
        if (handlers != told || wanted != 0) {
            directory.scaled(getAsLong(), handlers, wanted);
            told = handlers;
            wanted = 0;
        }
    }

    /** Nothing is heard of this worker for so long, and yet it is alive. */
    void asleep(Duration length) throws SQLException {
        directory.asleep(getAsLong(), length);
    }

    void stopped() throws SQLException {
        if (id != 0) {
            directory.stopped(id, tally.text());
        }
    }
}
