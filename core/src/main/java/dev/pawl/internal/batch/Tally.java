package dev.pawl.internal.batch;

import dev.pawl.api.JobState;

/**
 * The changes of the counts of a batch.
 *
 * @param completed jobs that have completed
 * @param failed jobs that were discarded
 * @param cancelled jobs that were cancelled
 */
public record Tally(long completed, long failed, long cancelled) {
    static final Tally NONE = new Tally(0, 0, 0);

    /** {@return the changes for a number of jobs that have finished in a state; the number is negative for jobs that are live again} */
    public static Tally of(JobState state, int jobs) {
        return switch (state) {
            case COMPLETED -> new Tally(jobs, 0, 0);
            case DISCARDED -> new Tally(0, jobs, 0);
            case CANCELLED -> new Tally(0, 0, jobs);
            default -> NONE;
        };
    }

    /** {@return the change of the number of finished jobs} */
    long total() {
        return completed + failed + cancelled;
    }

    Tally plus(Tally other) {
        return new Tally(completed + other.completed, failed + other.failed, cancelled + other.cancelled);
    }
}
