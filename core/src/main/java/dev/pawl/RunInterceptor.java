package dev.pawl;

/**
 * Stands around every call of a handler: for what all of them need, such as names in the log, a trace, a measurement or a check.
 * Added by {@link WorkerBuilder#intercept}. Must be thread-safe.
 *
 * <p>It runs in the handler's thread, within the lease and the handler's timeout, and is interrupted as the handler is. Reading the
 * payload is part of what it stands around, and so is the transaction that {@link JobRun#transaction} opens. The transaction of
 * {@link Strategy.Transactional} and the reservation of a {@linkplain SlotSeries#around slot} are around it: whatever it returns
 * counts as the handler's outcome, and {@link Outcome.Completed} commits what the handler has written, even if it had failed.
 *
 * <p>A run that waits for a signal or sleeps ends with {@link RunSuspended}, which passes through here and is no failure: let it pass, and
 * count it as a job that is put off.
 *
 * <p>Kinds of {@link WorkerBuilder#handleElsewhere} have none: their handlers only give the job away.
 */
@FunctionalInterface
public interface RunInterceptor {
    /**
     * Runs the handler, or does not.
     *
     * @param run as the handler sees it. {@link JobRun#transaction} completes the job, so leave it to the handler, unless the
     *     handler is not to run
     * @param handler the interceptors after this one, and the handler
     * @return how the run ended: what {@code handler.proceed()} returned, or something else
     * @throws Exception to fail the attempt, as an exception of the handler does; those of the handler are to be passed on
     */
    Outcome intercept(JobRun run, Handling handler) throws Exception;

    /** What an interceptor stands around. To be called at most once, by the same thread, before the interceptor returns. */
    interface Handling {
        /**
         * Goes on to the next interceptor, or to the handler.
         *
         * @return its outcome, never null
         * @throws IllegalStateException if it was called before, the interceptor has returned, or another thread calls it
         * @throws Exception whatever the handler throws
         */
        Outcome proceed() throws Exception;
    }
}
