package dev.pawl.internal.store;

import dev.pawl.api.WorkerWish;
import org.jspecify.annotations.Nullable;

/**
 * A command for a worker, from people or other processes.
 *
 * @param wish whether to work at all
 * @param concurrency number of handlers at once; null to keep it
 */
public record WorkerCommand(WorkerWish wish, @Nullable Integer concurrency) {
    /** To go on unchanged. */
    public static final WorkerCommand NONE = new WorkerCommand(WorkerWish.WORK, null);
}
