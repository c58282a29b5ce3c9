package dev.pawl;

import java.time.Duration;

/** Something that happened to a job in a worker; a {@link WorkerBuilder#listener} is told of it as it happens. */
public sealed interface WorkerEvent {
    /** {@return the job as it was claimed} */
    Job job();

    /**
     * Its handler is about to be called.
     *
     * @param job the job
     * @param sinceClaim how long ago this worker has claimed it: jobs are claimed ahead of handlers that are quick
     */
    record Started(Job job, Duration sinceClaim) implements WorkerEvent {
        /**
         * One that has begun as it was claimed.
         *
         * @param job the job
         */
        public Started(Job job) {
            this(job, Duration.ZERO);
        }
    }

    /**
     * The job is completed, and the database has recorded it.
     *
     * @param job the job
     */
    record Completed(Job job) implements WorkerEvent {}

    /**
     * The attempt failed and the job will be tried again; recorded.
     *
     * @param job the job
     * @param error what happened
     * @param retryIn how long until the job becomes available again
     */
    record Failed(Job job, String error, Duration retryIn) implements WorkerEvent {}

    /**
     * Snoozed by its handler, which may have said that what it needs is unavailable, or given back because the worker is stopping;
     * recorded.
     *
     * @param job the job
     * @param delay how long until the job becomes available again
     */
    record Snoozed(Job job, Duration delay) implements WorkerEvent {}

    /**
     * Finished as cancelled; recorded.
     *
     * @param job the job
     * @param reason why
     */
    record Cancelled(Job job, String reason) implements WorkerEvent {}

    /**
     * Finished as discarded; recorded.
     *
     * @param job the job
     * @param reason why
     * @param error what happened in the last attempt
     */
    record Discarded(Job job, String reason, String error) implements WorkerEvent {}

    /**
     * This worker no longer holds the job; its outcome was or will be refused. If the handler is still running, it has
     * been interrupted.
     *
     * @param job the job
     */
    record LeaseLost(Job job) implements WorkerEvent {}

    /**
     * Its handler has been running for more than five times as long, and more than a minute longer, than any other of its kind
     * that this worker has completed. It goes on; told once for a run.
     *
     * @param job the job
     * @param running for how long
     * @param usual the longest run so far
     */
    record Stalled(Job job, Duration running, Duration usual) implements WorkerEvent {}
}
