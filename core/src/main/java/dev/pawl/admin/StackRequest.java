package dev.pawl.admin;

/** The result of {@link RunAdmin#requestStackTrace}. */
public enum StackRequest {
    /** The stack trace was requested. The worker reports it within about a second, but not before the run has lasted a second. */
    REQUESTED,
    /** The job is not running; nothing was requested. */
    NOT_RUNNING,
    /** The run was handed off to a remote worker, which cannot report its stack; nothing was requested. */
    REMOTE,
    /** The job does not exist, or was pruned. */
    NOT_FOUND
}
