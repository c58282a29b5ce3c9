package dev.pawl;

/** What somebody wants a worker to do, see {@link dev.pawl.admin.JobAdmin#wish}. */
public enum WorkerWish {
    /** To claim and run jobs. */
    WORK,
    /** To claim no more; what it has is still run. */
    QUIET,
    /** To stop, as its program stops it. */
    STOP
}
