package dev.pawl.internal.claim;

import dev.pawl.api.Strategy;
import dev.pawl.internal.cluster.WorkerRegistry;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The number of jobs that an optimistic claim reads: as configured, or a batch for each live worker. Used by one thread at a time. */
final class WindowSize {
    private static final int LARGEST = 10_000;
    private static final long COUNT_AGAIN = TimeUnit.SECONDS.toNanos(5);

    private final int configured;
    private final Workers workers;
    private final LongSupplier clock;
    private volatile int live;
    private volatile long countedNanos;

    /** Counts the live workers. */
    @FunctionalInterface
    interface Workers {
        int live() throws SQLException;
    }

    public WindowSize(int configured, WorkerRegistry registry) {
        this(configured, registry::live, System::nanoTime);
    }

    WindowSize(int configured, Workers workers, LongSupplier clock) {
        this.configured = configured;
        this.workers = workers;
        this.clock = clock;
    }

    /** {@return the number of jobs to read} Never less than the batch, which could not be filled otherwise. */
    public int of(int batch) throws SQLException {
        int width = configured == Strategy.Optimistic.FOLLOW_WORKERS ? batch * Math.max(1, liveWorkers()) : configured;
        return Math.max(batch, Math.min(width, LARGEST));
    }

    private int liveWorkers() throws SQLException {
        long now = clock.getAsLong();
        if (live == 0 || now - countedNanos >= COUNT_AGAIN) {
            live = workers.live();
            countedNanos = now;
        }
        return live;
    }
}
