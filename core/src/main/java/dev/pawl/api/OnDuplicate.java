package dev.pawl.api;

/**
 * What an enqueue does if another job has taken its {@link EnqueueOptions#uniqueKey() unique key}.
 */
public enum OnDuplicate {
    /** Keeps the existing job unchanged and returns {@link EnqueueResult.Duplicate}. The default. */
    KEEP,
    /**
     * Gives the existing job the new payload and options and resets its attempts, then returns {@link EnqueueResult.Replaced}. A job that
     * is running, has done a step, sleeps or waits for a signal ({@link RunSteps}), has a concurrency key, or belongs to a batch, a
     * workflow or a schedule cannot be replaced: it is kept, and the result is {@link EnqueueResult.Duplicate}.
     */
    REPLACE
}
