package dev.pawl.admin;

/** The result of {@link JobAdmin#edit}. */
public enum EditResult {
    /** The job was changed; its log has the earlier values. */
    CHANGED,
    /** Its payload is not {@link JobEdit#payloadWas}; nothing was changed. */
    OTHER_PAYLOAD,
    /** The job is running, or in a transaction of its handler; nothing was changed. */
    RUNNING,
    /** The job had already finished; nothing was changed. */
    ALREADY_FINISHED,
    /** The job does not exist, or was pruned. */
    NOT_FOUND
}
