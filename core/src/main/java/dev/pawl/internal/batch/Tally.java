package dev.pawl.internal.batch;

import dev.pawl.api.JobState;

/**
 * The changes of the counts of a batch.
 *
 * @param completed jobs that have completed
 * @param failed jobs that were discarded
 * @param cancelled jobs that were cancelled
 * @param revived whether a job of the batch, or of a batch within it, is live again
 */
public record Tally(long completed, long failed, long cancelled, boolean revived) {
    static final Tally NONE = new Tally(0, 0, 0, false);
    static final Tally REVIVED = new Tally(0, 0, 0, true);

    /** {@return the changes for a number of jobs that have finished in a state; the number is negative for jobs that are live again} */
    public static Tally of(JobState state, int jobs) {
        return switch (state) {
            case COMPLETED -> new Tally(jobs, 0, 0, jobs < 0);
            case DISCARDED -> new Tally(0, jobs, 0, jobs < 0);
            case CANCELLED -> new Tally(0, 0, jobs, jobs < 0);
            default -> NONE;
        };
    }

    Tally plus(Tally other) {
        return new Tally(
                completed + other.completed,
                failed + other.failed,
                cancelled + other.cancelled,
                revived || other.revived);
    }
}
