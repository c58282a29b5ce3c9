package dev.pawl.spi;

/**
 * A run that was handed off: one claim of a job, and the remote worker that runs it.
 *
 * @param jobId the job
 * @param leaseToken of the claim, see {@link dev.pawl.api.JobRun#leaseToken}
 * @param worker the remote worker, at most 200 characters
 */
public record RemoteRun(long jobId, long leaseToken, String worker) {
    /** The result of a renewal. */
    public enum Renewal {
        /** The run may continue: its lease lasts at least as long as requested. */
        RENEWED,
        /** The lease was renewed, but the job's cancellation was requested: the run should end. */
        CANCEL_REQUESTED,
        /** The run has exceeded its maximum duration; the lease was not renewed. */
        OVERDUE,
        /** The run has ended, or another worker runs the job under this lease: the run must stop. */
        LOST
    }

    /** The recorded end of a run. */
    public enum Ending {
        /** The job is completed. */
        COMPLETED,
        /** The attempt failed and the job will be retried. */
        FAILED,
        /** The job will run later. */
        SNOOZED,
        /** The job is cancelled. */
        CANCELLED,
        /** The job is discarded. */
        DISCARDED,
        /** Nothing was recorded: the run had ended already, or belongs to another worker. */
        REFUSED
    }
}
