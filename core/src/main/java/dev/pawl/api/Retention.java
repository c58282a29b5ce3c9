package dev.pawl.api;

import java.time.Duration;

/**
 * How long finished jobs stay in the history before they are pruned. Zero keeps none: such jobs are deleted as they finish. A {@link
 * dev.pawl.admin.RetentionRule} overrides the retention for a queue or a kind. If a rule keeps jobs of a state whose retention is zero,
 * jobs without a rule are deleted at the next pruning, and not as they finish.
 *
 * @param completed default one day; a duration of more than a hundred years counts as a hundred years
 * @param cancelled default 7 days
 * @param discarded default 90 days; zero is refused, so that operators can see a discarded job and its errors
 * @param mostCompleted the maximum number of completed jobs, of which the latest are kept; at least 1. Approximate, because pruning runs
 *     once a minute, and jobs that were claimed together from a lane are deleted together. Default {@link Long#MAX_VALUE}: no maximum
 */
public record Retention(Duration completed, Duration cancelled, Duration discarded, long mostCompleted) {
    private static final Duration LONGEST = Duration.ofDays(36_525);

    /** Completed jobs one day, cancelled ones 7 days, discarded ones 90 days, in any number. */
    public static final Retention DEFAULTS =
            new Retention(Duration.ofDays(1), Duration.ofDays(7), Duration.ofDays(90), Long.MAX_VALUE);

    /**
     * @throws IllegalArgumentException if a duration is negative, or zero for discarded jobs, or the maximum is less
     *     than one
     */
    public Retention {
        if (mostCompleted < 1) {
            throw new IllegalArgumentException("at most " + mostCompleted
                    + " completed jobs cannot be kept: use 1 or more, or a retention of zero to keep none");
        }
        if (completed.isNegative() || cancelled.isNegative()) {
            throw new IllegalArgumentException(
                    "a retention must not be negative: completed " + completed + ", cancelled " + cancelled);
        }
        if (discarded.isNegative() || discarded.isZero()) {
            throw new IllegalArgumentException(
                    "the retention of discarded jobs must be more than zero, not " + discarded);
        }
        completed = bounded(completed);
        cancelled = bounded(cancelled);
        discarded = bounded(discarded);
    }

    private static Duration bounded(Duration keep) {
        return keep.compareTo(LONGEST) > 0 ? LONGEST : keep;
    }

    /**
     * Sets the retention of completed jobs.
     *
     * @param duration how long they are kept; zero deletes them on completion
     * @return a copy
     */
    public Retention completed(Duration duration) {
        return new Retention(duration, cancelled, discarded, mostCompleted);
    }

    /**
     * Sets the retention of cancelled jobs.
     *
     * @param duration how long they are kept; zero deletes them on cancellation
     * @return a copy
     */
    public Retention cancelled(Duration duration) {
        return new Retention(completed, duration, discarded, mostCompleted);
    }

    /**
     * Sets the retention of discarded jobs.
     *
     * @param duration how long they are kept; more than zero
     * @return a copy
     */
    public Retention discarded(Duration duration) {
        return new Retention(completed, cancelled, duration, mostCompleted);
    }

    /**
     * Sets the maximum number of completed jobs.
     *
     * @param most how many of the latest are kept; at least 1
     * @return a copy
     */
    public Retention mostCompleted(long most) {
        return new Retention(completed, cancelled, discarded, most);
    }
}
