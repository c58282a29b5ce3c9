package dev.pawl.spi;

import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobHandler;
import java.util.function.BooleanSupplier;

/** Receives the handlers of an extension, see {@code WorkerBuilder.extend(…)}. Confined to one thread. */
public interface HandlerRegistry {
    /**
     * Adds a handler that gets the stored payload, as {@link dev.pawl.api.Job#payload()} returns it. For tools that know
     * no Java types.
     *
     * @param kind the kind
     * @param handler thread-safe; gets the payload as text
     * @param options timeout, retry policy and weight
     * @return this
     * @throws IllegalArgumentException if the kind is malformed or has a handler already
     */
    HandlerRegistry encoded(String kind, JobHandler.WithOutcome<String> handler, HandlerOptions options);

    /**
     * Adds a handler that assigns jobs to remote workers. Interceptors do not wrap it, because it runs no job. A worker
     * with such handlers cannot suspend while it is idle, and never runs handlers in the transaction of the claim, even
     * if a queue is set to {@link dev.pawl.api.Strategy.Transactional}.
     *
     * @param kind the kind
     * @param isOpen whether a remote worker could run this kind now. While it returns false, no job of the kind is
     *     claimed, so that jobs of other kinds do not wait behind these jobs. Called before every claim; thread-safe,
     *     quick
     * @param handler thread-safe
     * @param options timeout of the assignment, retry policy and weight
     * @return this
     * @throws IllegalArgumentException if the kind is malformed or has a handler already
     */
    HandlerRegistry remote(String kind, BooleanSupplier isOpen, RemoteHandler handler, HandlerOptions options);
}
