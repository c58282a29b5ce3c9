package dev.pawl.api;

/**
 * Code of the program that runs a job. Must be thread-safe: a worker calls it for many jobs at once. It may be called
 * more than once for a job (after a crash or a lost lease), so make it idempotent or write through
 * {@link JobRun#transaction}.
 *
 * @param <T> the payload
 */
@FunctionalInterface
public interface JobHandler<T> {
    /**
     * Runs the job. A normal return completes it.
     *
     * @param payload the decoded payload
     * @param run the context of this run
     * @throws Exception to fail the attempt; the {@link RetryPolicy} then decides about the retry
     */
    void handle(T payload, JobRun run) throws Exception;

    /**
     * A handler that returns the outcome of the run, see {@link Handlers#completing}.
     *
     * @param <T> the payload
     */
    @FunctionalInterface
    interface WithOutcome<T> {
        /**
         * Runs the job and returns the outcome.
         *
         * @param payload the decoded payload
         * @param run the context of this run
         * @return the outcome
         * @throws Exception to fail the attempt; the {@link RetryPolicy} then decides about the retry
         */
        Outcome handle(T payload, JobRun run) throws Exception;
    }

    /**
     * A handler that returns a result, see {@link Handlers#returning}.
     *
     * @param <T> the payload
     * @param <R> the result
     */
    @FunctionalInterface
    interface WithResult<T, R> {
        /**
         * Runs the job. A normal return completes it.
         *
         * @param payload the decoded payload
         * @param run the context of this run
         * @return the result, stored with the job; not null
         * @throws Exception to fail the attempt; the {@link RetryPolicy} then decides about the retry
         */
        R handle(T payload, JobRun run) throws Exception;
    }
}
