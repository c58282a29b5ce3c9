package dev.pawl.api;

import java.time.Duration;

/** An event of a job in a worker, passed to each {@link dev.pawl.WorkerBuilder#listener} as it happens. */
public sealed interface WorkerEvent {
    /** {@return the job as it was claimed} */
    Job job();

    /**
     * The handler is about to be called.
     *
     * @param job the job
     * @param sinceClaim time since this worker claimed it; jobs of quick handlers are claimed ahead
     */
    record Started(Job job, Duration sinceClaim) implements WorkerEvent {
        /**
         * An event of a job that starts as soon as it is claimed.
         *
         * @param job the job
         */
        public Started(Job job) {
            this(job, Duration.ZERO);
        }
    }

    /**
     * The job is completed, and this is recorded in the database.
     *
     * @param job the job
     */
    record Completed(Job job) implements WorkerEvent {}

    /**
     * The attempt failed and the job will be retried; recorded in the database.
     *
     * @param job the job
     * @param error the error
     * @param retryIn time until the job becomes available again
     */
    record Failed(Job job, String error, Duration retryIn) implements WorkerEvent {}

    /**
     * The job will run again and the attempt does not count: the handler snoozed it, reported an outage (see {@link Outcome.Unavailable})
     * or waits (see {@link RunSteps}), a conflict with another transaction rolled it back, or the stopping worker interrupted it. Recorded
     * in the database.
     *
     * @param job the job
     * @param delay time until the job becomes available again
     */
    record Snoozed(Job job, Duration delay) implements WorkerEvent {}

    /**
     * The job is cancelled; recorded in the database.
     *
     * @param job the job
     * @param reason the reason
     */
    record Cancelled(Job job, String reason) implements WorkerEvent {}

    /**
     * The job is discarded; recorded in the database.
     *
     * @param job the job
     * @param reason the reason
     * @param error the error of the last attempt
     */
    record Discarded(Job job, String reason, String error) implements WorkerEvent {}

    /**
     * This worker no longer holds the lease; the outcome of the run was or will be refused. If the handler is still
     * running, it has been interrupted.
     *
     * @param job the job
     */
    record LeaseLost(Job job) implements WorkerEvent {}

    /**
     * The handler has been running more than five times as long as the longest run of its kind that this worker has completed, and more
     * than a minute longer than that run. The handler continues. Reported once for a run.
     *
     * @param job the job
     * @param running time since it started
     * @param usual the longest run so far
     */
    record Stalled(Job job, Duration running, Duration usual) implements WorkerEvent {}
}
