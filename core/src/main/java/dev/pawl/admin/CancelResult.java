package dev.pawl.admin;

import dev.pawl.JobRun;
import dev.pawl.Strategy;

/** What {@link JobAdmin#cancel} did. */
public enum CancelResult {
    /** The job had not started and will not. */
    CANCELLED,
    /** The job is running; its worker has been asked to stop it. */
    REQUESTED,
    /**
     * The job's handler is in a transaction that holds the job ({@link JobRun#transaction} or
     * {@link Strategy#TRANSACTIONAL}) and cannot be asked to stop; nothing was changed. Try again later, when it may
     * have ended.
     */
    IN_TRANSACTION,
    /** The job had already finished; nothing was changed. */
    ALREADY_FINISHED,
    /** There is no such job, or it was pruned. */
    NOT_FOUND
}
