package dev.pawl.dashboard;

/** What a viewer is allowed to do. */
public enum Role {
    /** View everything. */
    READ_ONLY,
    /** View everything, and change jobs, batches, workflows, queues, schedules, limits, workers and slots. */
    OPERATOR
}
