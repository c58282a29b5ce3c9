package dev.pawl.admin;

/** What came of asking for the stack of a run. */
public enum StackRequest {
    /** Its worker will tell, about a second after the run has gone on for a second. */
    ASKED,
    /** The job does not run now; nothing was asked. */
    NOT_RUNNING,
    /** A manager has given the run to a worker without a database, which is not asked. */
    ELSEWHERE,
    /** There is no such job, or it was pruned. */
    NOT_FOUND
}
