package dev.pawl.internal.batch;

import dev.pawl.api.JobRequest;
import org.jspecify.annotations.Nullable;

/**
 * A batch to be opened.
 *
 * @param name for people
 * @param parent the batch that it is part of; null for none
 * @param byJob of the parent, if one of its jobs opens it
 * @param onDone enqueued when all have ended; null for nothing
 * @param onFailed enqueued at the first failure
 * @param onSuccess enqueued when all have completed
 * @param stopPercent how many may fail; 0: any number
 * @param stopAfter how many must have ended before that counts
 * @param canary how many are to complete before the rest begins; 0: none
 */
public record NewBatch(
        String name,
        @Nullable Long parent,
        boolean byJob,
        @Nullable JobRequest onDone,
        @Nullable JobRequest onFailed,
        @Nullable JobRequest onSuccess,
        int stopPercent,
        int stopAfter,
        int canary) {}
