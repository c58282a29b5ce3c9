package dev.pawl.api;

/**
 * Wraps every call of a handler, for concerns that handlers share: log context, traces, measurements, checks. Added by
 * {@link dev.pawl.WorkerBuilder#intercept}. Must be thread-safe.
 *
 * <p>It runs on the handler's thread, within the lease and the timeout, and is interrupted like the handler. Inside it
 * are the decoding of the payload and the transaction of {@link JobRun#transaction}. Outside are the transaction of
 * {@link Strategy.Transactional} and the reservation of a {@linkplain dev.pawl.SlotSeries#around slot}. The interceptor's result
 * counts as the handler's outcome, so {@link Outcome.Completed} commits the handler's writes even if the handler
 * failed.
 *
 * <p>A run that waits for a signal or sleeps throws {@link RunSuspended}. That is not a failure: rethrow it, and count
 * the job as snoozed.
 *
 * <p>Handlers that assign jobs to remote workers are not wrapped, because they run no job.
 */
@FunctionalInterface
public interface RunInterceptor {
    /**
     * Calls the handler, or skips it.
     *
     * @param run the run of the handler. Leave {@link JobRun#transaction} to the handler, because the method completes the job. Call it if
     *     the handler is skipped
     * @param handler the interceptors after this one, and the handler
     * @return the outcome of the run: the result of {@code handler.proceed()}, or another one
     * @throws Exception to fail the attempt, like an exception of the handler; exceptions of the handler must be passed
     *     on
     */
    Outcome intercept(JobRun run, Handling handler) throws Exception;

    /** The wrapped call. May be called once, on the same thread, before the interceptor returns. */
    interface Handling {
        /**
         * Calls the next interceptor, or the handler.
         *
         * @return its outcome, never null
         * @throws IllegalStateException if it was called before, the interceptor has returned, or another thread calls
         *     it
         * @throws Exception any exception of the handler
         */
        Outcome proceed() throws Exception;
    }
}
