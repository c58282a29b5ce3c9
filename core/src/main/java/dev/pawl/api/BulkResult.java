package dev.pawl.api;

/**
 * The result of enqueueing many jobs.
 *
 * @param inserted new jobs
 * @param duplicates jobs that were not written because an existing job has their unique key
 * @param replaced existing jobs that got a new payload and options ({@link OnDuplicate#REPLACE})
 */
public record BulkResult(long inserted, long duplicates, long replaced) {
    /** The result of an empty enqueue. */
    public static final BulkResult NONE = new BulkResult(0, 0, 0);

    /**
     * Adds the result of one more job.
     *
     * @param result the result of a job
     * @return the sum
     */
    public BulkResult plus(EnqueueResult result) {
        if (result instanceof EnqueueResult.Inserted) {
            return new BulkResult(inserted + 1, duplicates, replaced);
        }
        return result instanceof EnqueueResult.Duplicate
                ? new BulkResult(inserted, duplicates + 1, replaced)
                : new BulkResult(inserted, duplicates, replaced + 1);
    }

    /** {@return the number of jobs} */
    public long total() {
        return inserted + duplicates + replaced;
    }
}
