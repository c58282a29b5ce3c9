package dev.pawl.api;

/**
 * Handlers that return a result or an outcome, or run many jobs in one call, for {@link dev.pawl.WorkerBuilder#handle}:
 *
 * <pre>{@code worker.handle(RESIZE, Handlers.returning((image, run) -> resize(image)));}</pre>
 */
public final class Handlers {
    private Handlers() {}

    /**
     * Returns a handler whose return value is the job's result, see {@link JobRun#result}. A normal return completes
     * the job.
     *
     * @param handler thread-safe; never returns null
     * @param <T> the payload
     * @param <R> the result
     * @return the handler
     */
    public static <T, R> Handler<T> returning(JobHandler.WithResult<T, R> handler) {
        return completing((payload, run) -> {
            run.result(handler.handle(payload, run));
            return Outcome.completed();
        });
    }

    /**
     * Returns a handler that decides how its run ends, by returning the {@link Outcome}.
     *
     * @param handler thread-safe; never returns null
     * @param <T> the payload
     * @return the handler
     */
    public static <T> Handler<T> completing(JobHandler.WithOutcome<T> handler) {
        return new Handler.Completing<>(handler);
    }

    /**
     * Returns a handler that runs many jobs in one call, see {@link Chunk}. A call does not wait for more jobs, and takes as much of the
     * worker's concurrency as one job. The first job of a chunk is claimed like any other; other jobs of its kind and queue join it.
     *
     * @param size the maximum number of jobs in a call, 1 to 1,000
     * @param handler thread-safe
     * @param <T> the payload of each job
     * @return the handler
     * @throws IllegalArgumentException if the size is outside its range
     */
    public static <T> Handler<T> chunked(int size, ChunkHandler<T> handler) {
        return chunked(ChunkOptions.of(size), handler);
    }

    /**
     * Returns a handler that runs many jobs in one call, like {@link #chunked(int, ChunkHandler)}, and may wait for more
     * jobs. With {@link Strategy.Transactional} each chunk has one job, because each job is claimed by a transaction of
     * its own.
     *
     * @param size the maximum number of jobs in a call, and how long the first waits for others
     * @param handler thread-safe
     * @param <T> the payload of each job
     * @return the handler
     */
    public static <T> Handler<T> chunked(ChunkOptions size, ChunkHandler<T> handler) {
        return new Handler.Chunked<>(size, handler);
    }
}
