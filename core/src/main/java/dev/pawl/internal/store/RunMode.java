package dev.pawl.internal.store;

/** How claimed jobs of a strategy are run. */
public enum RunMode {
    /** Prefetched, run when a handler is free, settled in batches. */
    BUFFERED,
    /** Claimed only for a free handler, which runs inside the transaction that completes the job. */
    IN_TRANSACTION
}
