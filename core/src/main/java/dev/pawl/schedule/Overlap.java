package dev.pawl.schedule;

/**
 * What happens to a tick while the job of an earlier tick has not finished: while that job waits, runs, or waits for a
 * retry.
 */
public enum Overlap {
    /** The tick is skipped. */
    SKIP,
    /** One job is enqueued within a minute after the earlier job has finished, for all ticks that have passed by then. */
    QUEUE,
    /** The job of the tick is enqueued; several jobs may run at once. */
    ALLOW
}
