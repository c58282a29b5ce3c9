package dev.pawl.admin;

/** The result of {@link JobAdmin#retry}. */
public enum RetryResult {
    /** The job is available now; one that had finished may be blocked or pending instead, see {@link JobAdmin#retry}. */
    AVAILABLE_NOW,
    /** The job is running; nothing was changed. */
    RUNNING,
    /** Another live job has its unique key; nothing was changed. */
    KEY_TAKEN,
    /** The job does not exist, or was pruned. */
    NOT_FOUND
}
