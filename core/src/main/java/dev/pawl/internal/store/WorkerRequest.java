package dev.pawl.internal.store;

import dev.pawl.api.WorkerCommand;
import org.jspecify.annotations.Nullable;

/**
 * What operators and other processes request from a worker.
 *
 * @param command whether to work
 * @param concurrency number of handlers at once; null to keep it
 */
public record WorkerRequest(WorkerCommand command, @Nullable Integer concurrency) {
    /** No request: the worker continues unchanged. */
    public static final WorkerRequest NONE = new WorkerRequest(WorkerCommand.WORK, null);
}
