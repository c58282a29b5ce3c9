package dev.pawl.admin;

import dev.pawl.Job;
import java.time.Instant;
import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The word by which pages and the command line call the state of a job: one for each, where {@code available} has several. */
public enum DisplayState {
    /** It may be claimed. */
    AVAILABLE,
    /** It waits for a moment. */
    SCHEDULED,
    /** It waits for its next attempt. */
    RETRYABLE,
    /** It waits for other jobs of its concurrency key. */
    BLOCKED,
    /** It waits for other jobs of its workflow. */
    PENDING,
    /** It is paused with its batch, or waits for the first jobs of that. */
    PAUSED,
    /** A worker has it. */
    RUNNING,
    /** It is done. */
    COMPLETED,
    /** It was cancelled. */
    CANCELLED,
    /** It failed for good. */
    DISCARDED;

    /**
     * @param job in any state
     * @param now by the database's clock, or about that
     * @return its state
     */
    public static DisplayState of(Job job, Instant now) {
        return switch (job.state()) {
            case RUNNING -> RUNNING;
            case COMPLETED -> COMPLETED;
            case CANCELLED -> CANCELLED;
            case DISCARDED -> DISCARDED;
            case AVAILABLE -> waiting(job, now);
        };
    }

    private static DisplayState waiting(Job job, Instant now) {
        if (job.isParked()) {
            return BLOCKED;
        }
        if (job.isBlocked()) {
            return PENDING;
        }
        if (job.isHeldBack()) {
            return PAUSED;
        }
        return !job.availableAt().isAfter(now) ? AVAILABLE : job.attempt() > 0 ? RETRYABLE : SCHEDULED;
    }

    /**
     * {@return what to call a node of a workflow that has been released: running only if one of its jobs runs, else what they wait for;
     * {@code in progress} if that cannot be told}
     *
     * @param jobs of the node, or some of them
     * @param now by the database's clock, or about that
     */
    public static String ofNode(Collection<Job> jobs, Instant now) {
        DisplayState first = null;
        for (Job job : jobs) {
            DisplayState state = of(job, now);
            if (state == RUNNING) {
                return state.word();
            }
            first = first == null && !job.state().isFinished() ? state : first;
        }
        return word(first);
    }

    private static String word(@Nullable DisplayState state) {
        return state == null ? "in progress" : state.word();
    }

    /** {@return it in lower case} */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
