package dev.pawl.internal.admin;

import dev.pawl.admin.JobChange;
import java.time.Duration;
import java.time.Instant;

/**
 * The times at which retried jobs become available one after the other. The oldest job becomes available first, although the jobs are
 * retried in pages from the newest to the oldest.
 */
final class Stagger {
    private final Instant start;
    private final Duration interval;
    private long left;

    /**
     * @param start the current time
     * @param retry how the jobs are spread
     * @param jobs the number of jobs
     */
    Stagger(Instant start, JobChange.Retry retry, long jobs) {
        this.start = start;
        this.interval = retry.interval(jobs);
        this.left = jobs;
    }

    /** {@return the moment of the next older job} Jobs beyond the number that was counted are due at once. */
    Instant next() {
        left = Math.max(0, left - 1);
        return start.plus(interval.multipliedBy(left));
    }
}
