package dev.pawl.admin;

/** What {@link JobAdmin#retry} did. */
public enum RetryResult {
    /** The job is available now. */
    AVAILABLE_NOW,
    /** The job is running; nothing was changed. */
    RUNNING,
    /** Another live job has its unique key; nothing was changed. */
    KEY_TAKEN,
    /** There is no such job, or it was pruned. */
    NOT_FOUND
}
