package dev.pawl.api;

/**
 * Wraps every call of a {@link ChunkHandler}, for concerns of the call rather than of one job: a span linked to all
 * jobs, or a measurement of their common request. Added by {@link dev.pawl.WorkerBuilder#interceptChunk}. Must be thread-safe.
 *
 * <p>It runs on the handler's thread, inside the {@link RunInterceptor}s of the jobs, and gets the same chunk as the handler. That chunk
 * lacks jobs whose payload cannot be decoded, and jobs whose {@link RunInterceptor} did not call the handler.
 */
@FunctionalInterface
public interface ChunkInterceptor {
    /**
     * Calls the handler, or skips it. If it is skipped, each job without an outcome completes.
     *
     * @param chunk the chunk of the handler. Leave {@link Chunk#transaction} to the handler, because it completes the
     *     jobs
     * @param handler the interceptors after this one, and the handler
     * @throws Exception to fail the attempt of each job without an outcome, like an exception of the handler;
     *     exceptions of the handler must be passed on
     */
    void intercept(Chunk<?> chunk, Handling handler) throws Exception;

    /** The wrapped call. May be called once, on the same thread, before the interceptor returns. */
    interface Handling {
        /**
         * Calls the next interceptor, or the handler.
         *
         * @throws IllegalStateException if it was called before, the interceptor has returned, or another thread calls
         *     it
         * @throws Exception any exception of the handler
         */
        void proceed() throws Exception;
    }
}
