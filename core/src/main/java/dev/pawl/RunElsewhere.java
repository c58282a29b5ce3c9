package dev.pawl;

/**
 * A run that a process has given to somebody else: one claim of a job, and who does its work.
 *
 * @param jobId the job
 * @param leaseToken of the claim, see {@link JobRun#leaseToken}
 * @param worker who does the work, at most 200 characters
 */
public record RunElsewhere(long jobId, long leaseToken, String worker) {
    /** What a renewal has found. */
    public enum Renewal {
        /** The run may go on: its lease lasts at least as long as was asked for. */
        RENEWED,
        /** The same, but somebody has cancelled the job: the run should end. */
        CANCEL_REQUESTED,
        /** The run has taken longer than it may, and was not renewed. */
        OVERDUE,
        /** The run is over, or under this lease somebody else does the work: stop. */
        LOST
    }

    /** How a run has ended. */
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
        /** Nothing was recorded: the run was over before, or is somebody else's. */
        REFUSED
    }
}
