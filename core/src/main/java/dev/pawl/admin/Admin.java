package dev.pawl.admin;

import java.time.Duration;

/**
 * Inspects and operates the queue, for the command line, a dashboard and other tools. Get it from
 * {@link dev.pawl.JobQueue#admin}. Operations of a feature are at its own class: {@link dev.pawl.Batch},
 * {@link dev.pawl.Workflow}, {@link dev.pawl.Schedules}, {@link dev.pawl.Limits}. Thread-safe; the accessors read
 * nothing.
 */
public interface Admin {
    /** The value of a limit parameter that means no limit. */
    int UNLIMITED = Integer.MAX_VALUE;

    /** The value of a timeout parameter that means no timeout. */
    Duration NO_TIMEOUT = Duration.ofDays(36_500);

    /** {@return the jobs: finds, lists, counts and changes them} */
    JobAdmin jobs();

    /** {@return the runs of jobs: failed attempts, logs, stack traces} */
    RunAdmin runs();

    /** {@return the queues: counts, pauses and configures them} */
    QueueAdmin queues();

    /** {@return the workers of all processes: lists, commands and scales them} */
    WorkerAdmin workers();

    /** {@return retention, diagnosis and the tables} */
    Maintenance maintenance();
}
