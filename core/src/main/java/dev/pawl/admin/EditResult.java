package dev.pawl.admin;

/** What {@link JobAdmin#edit} did. */
public enum EditResult {
    /** The job is different now, and its log says what it was before. */
    CHANGED,
    /** Its payload is another than {@link JobEdit#payloadWas}; nothing was changed. */
    OTHER_PAYLOAD,
    /** The job is running, or in a transaction of its handler; nothing was changed. */
    RUNNING,
    /** The job had already finished; nothing was changed. */
    ALREADY_FINISHED,
    /** There is no such job, or it was pruned. */
    NOT_FOUND
}
