package dev.pawl.dashboard;

/** What somebody may do in the dashboard. */
public enum Role {
    /** To look at everything. */
    READ_ONLY,
    /** To look, and to change jobs, queues, schedules, limits, workers and slots. */
    OPERATOR
}
