package dev.pawl.internal.store;

import java.util.Map;

/**
 * The header that says to which batch a job belongs: it travels with the job wherever that goes, and is read with it. {@link dev.pawl.EnqueueOptions} has
 * the same words.
 */
public final class BatchHeader {
    /** The batch's number. */
    public static final String NAME = "pawl-batch";

    /** The job of the batch that has added this one, which is how it comes to a sealed batch. */
    public static final String ADDED_BY = "pawl-added-by";

    private BatchHeader() {}

    /** {@return the batch of a job with these headers; 0 for none, also if somebody else has written something} */
    public static long of(Map<String, String> headers) {
        String batch = headers.get(NAME);
        try {
            return batch == null ? 0 : Long.parseLong(batch);
        } catch (NumberFormatException notOurs) {
            return 0;
        }
    }
}
