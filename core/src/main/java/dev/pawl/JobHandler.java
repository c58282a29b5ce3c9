package dev.pawl;

/**
 * User code that does the work of a job. Must be thread-safe: a worker calls it for many jobs at once. It may be called
 * more than once for a job (after a crash or a lost lease), so make it idempotent or write through
 * {@link JobRun#transaction}.
 *
 * @param <T> the payload
 */
@FunctionalInterface
public interface JobHandler<T> {
    /**
     * Does the work. A normal return completes the job.
     *
     * @param payload the decoded payload
     * @param run what is known about this run, and what it may do
     * @throws Exception to fail the attempt; it is retried by the {@link RetryPolicy}
     */
    void handle(T payload, JobRun run) throws Exception;

    /**
     * For handlers that say how the run ended.
     *
     * @param <T> the payload
     */
    @FunctionalInterface
    interface WithOutcome<T> {
        /**
         * Does the work and says how it ended.
         *
         * @param payload the decoded payload
         * @param run what is known about this run, and what it may do
         * @return the outcome
         * @throws Exception to fail the attempt; it is retried by the {@link RetryPolicy}
         */
        Outcome handle(T payload, JobRun run) throws Exception;
    }

    /**
     * For handlers that give something back.
     *
     * @param <T> the payload
     * @param <R> the result
     */
    @FunctionalInterface
    interface WithResult<T, R> {
        /**
         * Does the work. A normal return completes the job.
         *
         * @param payload the decoded payload
         * @param run what is known about this run, and what it may do
         * @return the result, kept with the job; not null
         * @throws Exception to fail the attempt; it is retried by the {@link RetryPolicy}
         */
        R handle(T payload, JobRun run) throws Exception;
    }
}
