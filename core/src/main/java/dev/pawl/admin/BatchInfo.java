package dev.pawl.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a batch.
 *
 * @param id its id
 * @param parent the id of the batch that it is part of; null if none
 * @param name given when it was opened
 * @param jobs the number of its jobs and inner batches so far
 * @param completed how many of them have completed; an inner batch counts if all of its jobs have completed
 * @param failed how many were discarded; an inner batch counts if one of its jobs was
 * @param cancelled how many were cancelled
 * @param createdAt when it was opened
 * @param sealedAt when it was sealed; null if jobs may still be added
 * @param stoppedAt when it was stopped because too many jobs had failed, or one of its first jobs was discarded or cancelled; null if it
 *     was not
 * @param doneAt when all jobs had finished; null if it is not done
 * @param pausedAt when it was paused; null if it is not
 * @param canary how many jobs must complete before the rest starts; 0 if there are no such jobs, or they have completed
 */
public record BatchInfo(
        long id,
        @Nullable Long parent,
        String name,
        long jobs,
        long completed,
        long failed,
        long cancelled,
        Instant createdAt,
        @Nullable Instant sealedAt,
        @Nullable Instant stoppedAt,
        @Nullable Instant doneAt,
        @Nullable Instant pausedAt,
        int canary) {
    /** {@return how many have finished} */
    public long ended() {
        return completed + failed + cancelled;
    }

    /** {@return whether it is sealed and all jobs have finished} */
    public boolean isDone() {
        return doneAt != null;
    }

    /** {@return whether it is done, and all jobs have completed} */
    public boolean isSuccess() {
        return isDone() && failed == 0 && cancelled == 0;
    }

    /** {@return the state for people: open, running, paused, canary (its first jobs), stopped, done or failed} */
    public String state() {
        if (isDone()) {
            return isSuccess() ? "done" : "failed";
        }
        if (stoppedAt != null) {
            return "stopped";
        }
        if (pausedAt != null) {
            return "paused";
        }
        if (canary > 0) {
            return "canary";
        }
        return sealedAt == null ? "open" : "running";
    }
}
