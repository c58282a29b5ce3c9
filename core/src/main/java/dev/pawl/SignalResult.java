package dev.pawl;

/** What became of a {@link JobQueue#signal signal}. */
public enum SignalResult {
    /** It is kept with the job. If the job was waiting for it, it runs now; otherwise it will not have to wait. */
    DELIVERED,
    /** The job has had that signal before. The first one counts. */
    ALREADY_SENT,
    /** The job waited for it, and has given up. */
    TOO_LATE,
    /** The job is finished: nothing waits for the signal. */
    ALREADY_FINISHED,
    /** There is no such job. */
    NOT_FOUND
}
