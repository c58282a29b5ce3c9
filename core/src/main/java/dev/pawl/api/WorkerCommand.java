package dev.pawl.api;

/** A command to a worker, see {@link dev.pawl.admin.WorkerAdmin#command}. */
public enum WorkerCommand {
    /** Claim and run jobs. */
    WORK,
    /** Stop claiming; jobs that the worker holds still run. */
    QUIET,
    /** Stop, as by {@link dev.pawl.Worker#close}. */
    STOP
}
