package dev.pawl.api;

/** A command to a worker, see {@link dev.pawl.admin.JobAdmin#wish}. */
public enum WorkerWish {
    /** Claim and run jobs. */
    WORK,
    /** Stop claiming; jobs that the worker holds still run. */
    QUIET,
    /** Stop, as by {@link dev.pawl.Worker#close}. */
    STOP
}
