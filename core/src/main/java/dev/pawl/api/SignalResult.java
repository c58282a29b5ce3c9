package dev.pawl.api;

/** The result of {@link dev.pawl.JobQueue#signal sending a signal}. */
public enum SignalResult {
    /**
     * The signal is stored with the job. If the job was waiting for it, the job becomes available; otherwise it will
     * not have to wait.
     */
    DELIVERED,
    /** The job has received this signal before; the first one counts. */
    ALREADY_SENT,
    /** The job has waited for the signal until its timeout. */
    TOO_LATE,
    /** The job is finished. */
    ALREADY_FINISHED,
    /** The job does not exist. */
    NOT_FOUND
}
