package dev.pawl.api;

/** The states of a job in which its unique key is taken. See {@link EnqueueOptions#uniqueWhile}. */
public enum UniqueWhile {
    /**
     * While the job waits, including for a retry. As soon as a worker has claimed the job, another job with the same key may be enqueued,
     * for changes that the running job did not see. Both may run at the same time; give them the same {@link EnqueueOptions#key} to run
     * them one after the other. While an enqueue that has found the job waiting is not committed, no worker can claim the job, so the job
     * sees what that transaction writes. A job that has done a step, or sleeps or waits for a signal ({@link RunSteps}), frees its key even
     * while it waits. {@link Job#uniqueKey} returns the key of a job with this scope, but the database does not enforce the key. A job that
     * waits for a retry may therefore exist beside a newer job with its key.
     */
    WAITING,

    /** While the job waits or runs. The default. Every other scope costs an additional row for the key. */
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
