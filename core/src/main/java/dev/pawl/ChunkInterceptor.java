package dev.pawl;

/**
 * Stands around every call of a {@link ChunkHandler}: for what belongs to the call and not to one of its jobs, such as a span that is
 * linked to all of them, or a measurement of the request that they share. Added by {@link WorkerBuilder#interceptChunk}. Must be
 * thread-safe.
 *
 * <p>It runs in the handler's thread, within the {@link RunInterceptor}s of the jobs, and sees what the handler sees: jobs that one of
 * these has kept from the handler, or whose payload cannot be read, are not in the chunk.
 */
@FunctionalInterface
public interface ChunkInterceptor {
    /**
     * Calls the handler, or does not: then each job ends as was said of it, and completes if nothing was.
     *
     * @param chunk as the handler sees it. {@link Chunk#transaction} completes the jobs, so leave it to the handler
     * @param handler the interceptors after this one, and the handler
     * @throws Exception to fail the attempt of each job that nothing was said of, as an exception of the handler does; those of the
     *     handler are to be passed on
     */
    void intercept(Chunk<?> chunk, Handling handler) throws Exception;

    /** What an interceptor stands around. To be called at most once, by the same thread, before the interceptor returns. */
    interface Handling {
        /**
         * Goes on to the next interceptor, or to the handler.
         *
         * @throws IllegalStateException if it was called before, the interceptor has returned, or another thread calls it
         * @throws Exception whatever the handler throws
         */
        void proceed() throws Exception;
    }
}
