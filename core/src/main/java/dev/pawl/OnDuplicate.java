package dev.pawl;

/** What to do when a live job of the same kind already has the {@link EnqueueOptions#uniqueKey() unique key}. */
public enum OnDuplicate {
    /** Leave the existing job as it is and return {@link EnqueueResult.Duplicate}. The default. */
    KEEP,
    /**
     * If the existing job is not running, give it the new payload and options, with all attempts ahead of it, and
     * return {@link EnqueueResult.Replaced}. If it is running, has done steps, has a concurrency
     * key, or belongs to a batch, a workflow or a schedule, leave it and return {@link EnqueueResult.Duplicate}.
     */
    REPLACE
}
