package dev.pawl.admin;

import dev.pawl.api.JobRun;
import dev.pawl.api.Strategy;

/** The result of {@link JobAdmin#cancel}. */
public enum CancelResult {
    /** The job was waiting and is cancelled. */
    CANCELLED,
    /** The job is running; its worker will interrupt it. */
    REQUESTED,
    /**
     * The job's handler is in a transaction that has locked the job ({@link JobRun#transaction} or
     * {@link Strategy#TRANSACTIONAL}), so its cancellation cannot be requested; nothing was changed. Try again later.
     */
    IN_TRANSACTION,
    /** The job had already finished; nothing was changed. */
    ALREADY_FINISHED,
    /** The job does not exist, or was pruned. */
    NOT_FOUND
}
