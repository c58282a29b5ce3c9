package dev.pawl.internal.store;

/** How jobs that a strategy has claimed are run. */
public enum RunMode {
    /** Claimed ahead, run when a handler is free, settled in batches. */
    BUFFERED,
    /** Claimed only for a free handler, which runs inside the transaction that completes the job. */
    IN_TRANSACTION
}
