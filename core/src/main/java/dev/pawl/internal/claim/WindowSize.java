package dev.pawl.internal.claim;

import dev.pawl.Strategy;
import dev.pawl.internal.cluster.WorkerRegistry;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;

/** How many jobs an optimistic claim looks at: as configured, or a batch for each live worker. Used by one thread at a time. */
final class WindowSize {
    private static final int LARGEST = 10_000;
    private static final long COUNT_AGAIN = TimeUnit.SECONDS.toNanos(5);

    private final int told;
    private final WorkerRegistry registry;
    private volatile int live;
    private volatile long countedNanos;

    public WindowSize(int told, WorkerRegistry registry) {
        this.told = told;
        this.registry = registry;
    }

    /** Never less than the batch, or the batch could not be filled. */
    public int of(int batch) throws SQLException {
        int width = told == Strategy.Optimistic.FOLLOW_WORKERS ? batch * Math.max(1, liveWorkers()) : told;
        return Math.max(batch, Math.min(width, LARGEST));
    }

    private int liveWorkers() throws SQLException {
        long now = System.nanoTime();
        if (live == 0 || now - countedNanos >= COUNT_AGAIN) {
            live = registry.live();
            countedNanos = now;
        }
        return live;
    }
}
