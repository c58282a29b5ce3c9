package dev.pawl;

import java.time.Duration;

/** Something that happened to a job in a worker, told to {@link WorkerBuilder#listener} at the point of action. */
public sealed interface WorkerEvent {
    /** {@return the job as it was claimed} */
    Job job();

    /**
     * Its handler is about to be called.
     *
     * @param job the job
     */
    record Started(Job job) implements WorkerEvent {}

    /**
     * It is completed, and the database has recorded it.
     *
     * @param job the job
     */
    record Completed(Job job) implements WorkerEvent {}

    /**
     * The attempt failed and the job will be tried again; recorded.
     *
     * @param job the job
     * @param error what happened
     * @param retryIn when the job becomes available again
     */
    record Failed(Job job, String error, Duration retryIn) implements WorkerEvent {}

    /**
     * Put off by its handler, or given back because the worker stops; recorded.
     *
     * @param job the job
     * @param delay when the job becomes available again
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
     * This worker does not hold the job any more; its outcome was refused or will be. If the handler still runs it was
     * interrupted.
     *
     * @param job the job
     */
    record LeaseLost(Job job) implements WorkerEvent {}
}
