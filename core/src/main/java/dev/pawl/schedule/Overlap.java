package dev.pawl.schedule;

/**
 * What happens to a tick while the job of an earlier one has not finished: while it waits, runs, or waits for a retry.
 */
public enum Overlap {
    /** The tick is skipped. */
    SKIP,
    /** One job is enqueued as soon as the earlier one has finished, for all ticks that have passed by then. */
    QUEUE,
    /** Its job is enqueued; several may run at once. */
    ALLOW
}
