package dev.pawl.admin;

/** The result of {@link JobAdmin#askForStack}. */
public enum StackRequest {
    /** The stack trace was requested; the worker reports it about a second after the run has lasted a second. */
    ASKED,
    /** The job is not running; nothing was requested. */
    NOT_RUNNING,
    /** The run was handed off to a remote worker, which cannot report its stack; nothing was requested. */
    ELSEWHERE,
    /** The job does not exist, or was pruned. */
    NOT_FOUND
}
