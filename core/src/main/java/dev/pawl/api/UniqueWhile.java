package dev.pawl.api;

/** The states of a job in which its unique key is taken. See {@link EnqueueOptions#uniqueWhile}. */
public enum UniqueWhile {
    /**
     * While the job waits, including for a retry. As soon as a worker has claimed it, another job may be enqueued, for changes that this
     * run did not see. Both may run at the same time; give them the same {@link EnqueueOptions#key} to run them one after the other. An
     * enqueue that finds the job waiting locks it until the enqueueing transaction ends, so the job sees what that transaction writes. A
     * job that has done a step, or sleeps or waits for a signal ({@link RunSteps}), frees its key even while it waits. {@link
     * Job#uniqueKey} returns the key of such a job, but the database does not enforce it: a job that waits for a retry may exist beside a
     * newer one.
     */
    WAITING,

    /** While the job waits or runs. The default, and the only scope that does not cost a row of its own. */
    LIVE,

    /**
     * While the job waits, runs, or is discarded. A discarded job keeps its key until an operator retries or deletes it, or its retention
     * ends.
     */
    LIVE_OR_DISCARDED,

    /**
     * While the database keeps the job, live or finished. Where finished jobs are not kept (see {@link dev.pawl.admin.RetentionRule}),
     * the key is free as soon as the job has finished.
     */
    KEPT
}
