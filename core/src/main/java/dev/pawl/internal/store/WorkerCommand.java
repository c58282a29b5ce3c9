package dev.pawl.internal.store;

import dev.pawl.WorkerWish;
import org.jspecify.annotations.Nullable;

/**
 * What people want of a worker.
 *
 * @param wish whether to work at all
 * @param concurrency how many handlers to run at once; null for as many as now
 */
public record Wishes(WorkerWish wish, @Nullable Integer concurrency) {
    /** To go on. */
    public static final Wishes NONE = new Wishes(WorkerWish.WORK, null);
}
