package dev.pawl;

/**
 * User code that does the work of many jobs of a kind in one call, such as one request to a service that takes a hundred messages. Must be
 * thread-safe, and idempotent as any {@link JobHandler}. Added by {@link WorkerBuilder#handleChunk}.
 *
 * @param <T> the payload of each job
 */
@FunctionalInterface
public interface ChunkHandler<T> {
    /**
     * Does the work. A normal return completes each job of which {@link Chunk.Item#ends} or {@link Chunk.Item#fails} did not say
     * something else.
     *
     * <p>The thread is interrupted when the timeout is over, when the worker stops, or when all of the jobs have been cancelled or lost; if
     * only some have, their {@link JobRun#isCancelled} says so.
     *
     * @param chunk the jobs
     * @throws Exception to fail the attempt of each job that nothing was said of, with the same cause
     */
    void handle(Chunk<T> chunk) throws Exception;
}
