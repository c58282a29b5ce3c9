package dev.pawl.internal.feature;

/** The verbs that take a job away. Each link says for each of them what becomes of its rows. */
public enum JobRemoval {
    /** Retention deletes finished jobs that were kept long enough. */
    PRUNE,
    /** A user deletes finished jobs. */
    DELETE,
    /** A user deletes jobs in any state, and everything that tells about them. */
    ERASE,
    /** A waiting job is cancelled: it leaves the table of live jobs and, if cancelled jobs are kept, goes to the history. */
    CANCEL
}
