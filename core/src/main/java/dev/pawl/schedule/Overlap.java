package dev.pawl.schedule;

/** What becomes of a tick while the job of an earlier one has not ended: it waits, runs, or is to be tried again. */
public enum Overlap {
    /** The tick is left out. */
    SKIP,
    /** One job is enqueued as soon as the earlier one has ended, however many ticks have passed by then. */
    QUEUE,
    /** It gets its job all the same, so several may run at once. */
    ALLOW
}
