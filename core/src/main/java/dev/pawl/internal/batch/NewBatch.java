package dev.pawl.internal.batch;

import dev.pawl.api.JobRequest;
import org.jspecify.annotations.Nullable;

/**
 * A batch to be opened.
 *
 * @param name for people
 * @param parent the batch that it is part of; null for none
 * @param byJob whether a job of the parent opens it
 * @param onDone enqueued when all jobs have finished; null for nothing
 * @param onFailed enqueued at the first failure; null for nothing
 * @param onSuccess enqueued when all jobs have completed; null for nothing
 * @param stopPercent the percentage of failed jobs above which it stops; 0 for none
 * @param stopAfter the number of finished jobs from which the percentage is checked
 * @param canary how many jobs must complete before the rest starts; 0 for none
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
