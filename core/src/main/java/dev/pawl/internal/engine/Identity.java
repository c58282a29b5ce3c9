package dev.pawl.internal.engine;

import dev.pawl.internal.store.sql.Failures;
import dev.pawl.internal.store.sql.WorkerRegistry;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** The worker's row in the database, written when it is first needed, so that a worker can start before its database. */
final class Identity implements LongSupplier {
    private final WorkerRegistry registry;
    private final WorkerConfig config;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile long id;

    Identity(WorkerRegistry registry, WorkerConfig config) {
        this.registry = registry;
        this.config = config;
    }

    @Override
    public long getAsLong() {
        if (id == 0) {
            lock.lock();
            try {
                if (id == 0) {
                    id = Failures.wrapped(
                            "cannot register the worker",
                            () -> registry.register(
                                    config.name(), config.order().names(), config.concurrency()));
                }
            } finally {
                lock.unlock();
            }
        }
        return id;
    }

    void heartbeat() throws SQLException {
        registry.heartbeat(getAsLong());
    }

    void stopped() throws SQLException {
        if (id != 0) {
            registry.stopped(id);
        }
    }
}
