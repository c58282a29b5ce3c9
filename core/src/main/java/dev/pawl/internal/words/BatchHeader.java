package dev.pawl.internal.words;

import java.util.Map;

/** The header with the batch of a job: it is moved and read together with the job. {@link dev.pawl.api.EnqueueOptions} repeats the name. */
public final class BatchHeader {
    /** The batch's number. */
    public static final String NAME = "pawl-batch";

    /** The job of the batch that added this one, which allows adding to a sealed batch. */
    public static final String ADDED_BY = "pawl-added-by";

    private BatchHeader() {}

    /** {@return the batch of a job with these headers; 0 for none, or if the value is not a number} */
    public static long of(Map<String, String> headers) {
        String batch = headers.get(NAME);
        try {
            return batch == null ? 0 : Long.parseLong(batch);
        } catch (NumberFormatException notOurs) {
            return 0;
        }
    }
}
