package dev.pawl;

/** As long as the job of a unique key stands like this, the key is taken. See {@link EnqueueOptions#uniqueWhile}. */
public enum UniqueWhile {
    /**
     * The job waits, also for a retry: as soon as a worker has claimed it, one more may be enqueued, which will see what this run
     * did not. The next one may run at the same time; give the jobs the same {@link EnqueueOptions#key} to run them one after the other.
     * An enqueue that finds it waiting locks it until the enqueuing transaction ends, so it cannot begin before what
     * that transaction writes is there. {@link Job#uniqueKey} tells the key of such a job, the database does not enforce it: a
     * job that comes back for a retry, or is run again by a person, may wait beside a newer one. A job that has done steps
     * ({@link RunSteps}) has begun for good: the key is free even while it waits.
     */
    WAITING,

    /** The job waits or runs. The usual scope, and the only one that costs no row of its own. */
    LIVE,

    /** The job waits, runs, or was discarded: what cannot be done blocks its key until somebody retries or deletes it. */
    LIVE_OR_DISCARDED,

    /**
     * The database keeps the job, live or ended in whatever way: at most one as long as the history reaches. Where ended jobs are
     * not kept (see {@link RetentionRule}) the key is free at once.
     */
    KEPT
}
