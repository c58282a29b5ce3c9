package dev.pawl;

/** What became of one enqueue. Each case names the job's id. */
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
     * A live job of this kind has the unique key already; nothing was written.
     *
     * @param jobId the existing job
     */
    record Duplicate(long jobId) implements EnqueueResult {}

    /**
     * A job that was not running got the new payload and options ({@link OnDuplicate#REPLACE}).
     *
     * @param jobId the existing job
     */
    record Replaced(long jobId) implements EnqueueResult {}
}
