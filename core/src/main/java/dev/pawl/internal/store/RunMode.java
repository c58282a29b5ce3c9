package dev.pawl.internal.store;

/** How claimed jobs of a strategy are run. */
public enum RunMode {
    /** Jobs are prefetched, run when a handler is free, and settled in batches. */
    BUFFERED,
    /** A job is claimed only for a free handler, which runs inside the transaction that completes the job. */
    IN_TRANSACTION
}
