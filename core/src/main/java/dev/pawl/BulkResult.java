package dev.pawl;

/**
 * What became of a bulk enqueue.
 *
 * @param inserted new jobs
 * @param duplicates jobs not written because a live job has their unique key
 * @param replaced existing jobs that got a new payload ({@link OnDuplicate#REPLACE})
 */
public record BulkResult(long inserted, long duplicates, long replaced) {
    /** Nothing enqueued yet. */
    public static final BulkResult NONE = new BulkResult(0, 0, 0);

    /**
     * @param result one more result
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

    /** {@return how many jobs were asked for} */
    public long total() {
        return inserted + duplicates + replaced;
    }
}
