package dev.pawl.internal.bean;

import dev.pawl.api.ChunkHandler;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Handler;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.JobHandler;
import dev.pawl.api.JobHandler.WithOutcome;
import dev.pawl.api.JobType;
import dev.pawl.api.TypeToken;
import dev.pawl.internal.engine.Completing;
import java.util.function.Supplier;

/**
 * What a framework's annotation says about a handler, with all texts resolved.
 *
 * @param kind of its jobs
 * @param version of their payload
 * @param defaults with which its jobs are enqueued
 * @param options of the handler
 * @param transactional whether it runs in the transaction that completes its job
 * @param chunk the maximum number of jobs in one call; 0 for one
 */
public record HandlerDeclaration(
        String kind, int version, EnqueueOptions defaults, HandlerOptions options, boolean transactional, int chunk) {
    /** @throws IllegalStateException if there is no kind */
    public HandlerDeclaration {
        if (kind.isEmpty()) {
            throw new IllegalStateException("its kind is missing: write @JobHandler(\"kind\")");
        }
    }

    /**
     * {@return the defaults of an annotation}
     *
     * @param queue empty for the default
     * @param attempts 0 for the default
     * @throws IllegalArgumentException if one is not valid
     */
    public static EnqueueOptions defaults(String queue, int attempts) {
        EnqueueOptions defaults = EnqueueOptions.DEFAULTS;
        if (!queue.isEmpty()) {
            defaults = defaults.queue(queue);
        }
        return attempts == 0 ? defaults : defaults.maxAttempts(attempts);
    }

    /**
     * Creates a handler, and says where it is declared if that fails.
     *
     * @param place where it is declared
     * @param making creates it
     * @return the handler
     * @throws IllegalStateException if it is not valid
     */
    public static FoundHandler placed(String place, Supplier<FoundHandler> making) {
        try {
            return making.get();
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw new IllegalStateException(place + " cannot handle jobs: " + e.getMessage(), e);
        }
    }

    /**
     * {@return the type of its jobs}
     *
     * @param payload of them
     */
    @SuppressWarnings("unchecked") // only the codec and the handler use payloads, and both take this type
    public JobType<Object> type(TypeToken<?> payload) {
        return (JobType<Object>)
                JobType.of(kind, payload).withDefaults(defaults).version(version);
    }

    /**
     * {@return a handler that calls a method of a bean}
     *
     * @param method of it
     * @param call calls it
     */
    public Handler<Object> handler(HandlerMethod method, HandlerMethod.Call call) {
        return method.chunked() ? chunked(method.toChunkHandler(call)) : completing(method.toHandler(call));
    }

    /**
     * {@return a handler that is a bean itself}
     *
     * @param bean a {@link JobHandler}, {@link WithOutcome} or {@link ChunkHandler} of the payload's type
     */
    @SuppressWarnings("unchecked") // the search has determined the payload's type
    public Handler<Object> handler(Object bean) {
        if (bean instanceof ChunkHandler<?> chunks) {
            return chunked((ChunkHandler<Object>) chunks);
        }
        if (!(bean instanceof JobHandler<?> plain)) {
            return completing((WithOutcome<Object>) bean);
        }
        JobHandler<Object> typed = (JobHandler<Object>) plain;
        return transactional
                ? Handlers.completing(TransactionalHandler.aroundPlain(typed))
                : completing(Completing.of(typed));
    }

    private Handler<Object> completing(WithOutcome<Object> handler) {
        if (chunk > 0) {
            throw new IllegalStateException("chunk = " + chunk
                    + " needs a handler of many jobs: a ChunkHandler, or a method with a"
                    + " List of payloads or a Chunk");
        }
        return Handlers.completing(transactional ? TransactionalHandler.around(handler) : handler);
    }

    private Handler<Object> chunked(ChunkHandler<Object> handler) {
        if (transactional) {
            throw new IllegalStateException(
                    "transactional = true does not work with many jobs in one call: remove it, and"
                            + " call chunk.transaction(…)");
        }
        if (chunk < 1) {
            throw new IllegalStateException(
                    "it is a ChunkHandler, so it needs a size: @JobHandler(value = …, chunk = 100)");
        }
        return Handlers.chunked(chunk, handler);
    }
}
