package dev.pawl.api;

/** The result of enqueueing one job. */
public sealed interface EnqueueResult {
    /** {@return the id of the job: the new one, or the existing one} */
    long jobId();

    /**
     * A new job was written.
     *
     * @param jobId its id
     */
    record Inserted(long jobId) implements EnqueueResult {}

    /**
     * The unique key is taken by an existing job; nothing was written.
     *
     * @param jobId the existing job
     */
    record Duplicate(long jobId) implements EnqueueResult {}

    /**
     * An existing job that was not running got the new payload and options ({@link OnDuplicate#REPLACE}).
     *
     * @param jobId the existing job
     */
    record Replaced(long jobId) implements EnqueueResult {}
}
