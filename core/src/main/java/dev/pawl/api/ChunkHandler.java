package dev.pawl.api;

/**
 * Code of the program that runs many jobs of a kind in one call, such as one request to a service that takes a hundred
 * messages. Must be thread-safe and, like any {@link JobHandler}, idempotent. See
 * {@link Handlers#chunked(int, ChunkHandler)}.
 *
 * @param <T> the payload of each job
 */
@FunctionalInterface
public interface ChunkHandler<T> {
    /**
     * Runs the jobs. A normal return completes each job for which neither {@link Chunk.Item#ends} nor {@link Chunk.Item#fails} was called.
     *
     * <p>The thread is interrupted when the timeout has passed, when the grace time of a stopping worker has passed, or when every job was
     * cancelled or has lost its lease. If some jobs were cancelled or have lost their leases, but not all, {@link JobRun#isCancelled} is
     * true for the runs of these jobs.
     *
     * @param chunk the jobs
     * @throws Exception to fail the attempt of each job without an outcome, with the same cause
     */
    void handle(Chunk<T> chunk) throws Exception;
}
