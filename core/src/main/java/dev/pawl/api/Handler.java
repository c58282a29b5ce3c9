package dev.pawl.api;

import java.util.Objects;

/**
 * A handler that returns a result or an outcome, or runs many jobs in one call. Made by {@link Handlers}, taken by
 * {@link dev.pawl.WorkerBuilder#handle}. Immutable.
 *
 * @param <T> the payload
 */
public sealed interface Handler<T> {
    /**
     * A handler that returns the outcome of the run.
     *
     * @param handler called for each job
     * @param <T> the payload
     */
    record Completing<T>(JobHandler.WithOutcome<T> handler) implements Handler<T> {
        /** Checks the handler. */
        public Completing {
            Objects.requireNonNull(handler, "handler");
        }
    }

    /**
     * A handler that runs many jobs in one call.
     *
     * @param size the maximum number of jobs in a call, and how long the first waits for others
     * @param handler called for each chunk
     * @param <T> the payload of each job
     */
    record Chunked<T>(ChunkOptions size, ChunkHandler<T> handler) implements Handler<T> {
        /** Checks the handler. */
        public Chunked {
            Objects.requireNonNull(size, "size");
            Objects.requireNonNull(handler, "handler");
        }
    }
}
