package dev.pawl;

/**
 * A run that a process has given away: one claim of a job, and who does its work.
 *
 * @param jobId the job
 * @param leaseToken of the claim, see {@link JobRun#leaseToken}
 * @param worker who does the work, at most 200 characters
 */
public record RunElsewhere(long jobId, long leaseToken, String worker) {
    /** What a renewal found. */
    public enum Renewal {
        /** The run may go on: its lease lasts at least as long as was asked for. */
        RENEWED,
        /** The same, but the job has been cancelled: the run should end. */
        CANCEL_REQUESTED,
        /** The run has taken longer than allowed, and was not renewed. */
        OVERDUE,
        /** The run is over, or somebody else does the work under this lease: stop. */
        LOST
    }

    /** How a run ended. */
    public enum Ending {
        /** The job is completed. */
        COMPLETED,
        /** The attempt failed and another will follow. */
        FAILED,
        /** The job will run later. */
        SNOOZED,
        /** The job is cancelled. */
        CANCELLED,
        /** The job is discarded. */
        DISCARDED,
        /** Nothing was recorded: the run was already over, or is somebody else's. */
        REFUSED
    }
}
