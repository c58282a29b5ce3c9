package dev.pawl.admin;

import dev.pawl.api.Job;
import java.time.Instant;
import java.util.Collection;
import java.util.Locale;

/**
 * The state of a job as the dashboard and metrics show it: that of {@link dev.pawl.api.JobState}, except that an available job is shown
 * as scheduled or retryable until its time has come.
 */
public enum DisplayState {
    /** It may be claimed. */
    AVAILABLE,
    /** It waits for its time. */
    SCHEDULED,
    /** It waits for its next attempt. */
    RETRYABLE,
    /** It waits for other jobs of its concurrency key. */
    BLOCKED,
    /** It waits for other jobs of its workflow. */
    PENDING,
    /** It is paused with its batch, or waits for the first jobs of the batch. */
    PAUSED,
    /** A worker has claimed it. */
    RUNNING,
    /** It has completed. */
    COMPLETED,
    /** It was cancelled. */
    CANCELLED,
    /** It failed for good: no attempts are left, or its handler discarded it. */
    DISCARDED;

    /**
     * Returns the state of a job.
     *
     * @param job in any state
     * @param now by the database's clock; may be approximate
     * @return its state
     */
    public static DisplayState of(Job job, Instant now) {
        return switch (job.state()) {
            case RUNNING -> RUNNING;
            case COMPLETED -> COMPLETED;
            case CANCELLED -> CANCELLED;
            case DISCARDED -> DISCARDED;
            case BLOCKED -> BLOCKED;
            case PENDING -> PENDING;
            case PAUSED -> PAUSED;
            case AVAILABLE -> waiting(job, now);
        };
    }

    private static DisplayState waiting(Job job, Instant now) {
        return !job.availableAt().isAfter(now) ? AVAILABLE : job.attempt() > 0 ? RETRYABLE : SCHEDULED;
    }

    /**
     * {@return the word for the state of a node of a workflow} A released node is running only if one of its jobs runs;
     * otherwise the word says what its jobs wait for, or {@code in progress} if that is unknown.
     *
     * @param state of the node
     * @param jobs of the node, or some of them; not read unless the node has been released
     * @param now by the database's clock; may be approximate
     */
    public static String ofNode(WorkflowNode.State state, Collection<Job> jobs, Instant now) {
        return switch (state) {
            case RUNNING -> ofReleased(jobs, now);
            case WAITING -> PENDING.word();
            case BLOCKED, COMPLETED, FAILED, CANCELLED -> state.name().toLowerCase(Locale.ROOT);
        };
    }

    private static String ofReleased(Collection<Job> jobs, Instant now) {
        DisplayState first = null;
        for (Job job : jobs) {
            DisplayState state = of(job, now);
            if (state == RUNNING) {
                return state.word();
            }
            first = first == null && !job.state().isFinished() ? state : first;
        }
        return first == null ? "in progress" : first.word();
    }

    /** {@return the state in lower case} */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
