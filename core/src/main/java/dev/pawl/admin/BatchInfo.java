package dev.pawl.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a batch is.
 *
 * @param id its number
 * @param parent the batch that it is part of; null if it is part of none
 * @param name given when it was opened
 * @param jobs how many jobs and batches it has so far
 * @param completed how many of them have completed; a batch has if all of its jobs have
 * @param failed how many were discarded; a batch counts as that if one of its jobs was
 * @param cancelled how many were cancelled
 * @param createdAt when it was opened
 * @param sealedAt when it was sealed; null if jobs may still come
 * @param stoppedAt when too many had failed; null if that has not happened
 * @param doneAt when all had ended; null if it is not done
 * @param pausedAt when somebody paused it; null if it is not paused
 * @param canary how many jobs are to complete before the rest begins; 0 if none, or if they have
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
    /** {@return how many have ended} */
    public long ended() {
        return completed + failed + cancelled;
    }

    /** {@return whether it is sealed and all jobs have ended} */
    public boolean isDone() {
        return doneAt != null;
    }

    /** {@return whether it is done, and all jobs have completed} */
    public boolean isSuccess() {
        return isDone() && failed == 0 && cancelled == 0;
    }

    /** {@return in one word, for people: open, running, paused, canary (its first jobs), stopped, done or failed} */
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
