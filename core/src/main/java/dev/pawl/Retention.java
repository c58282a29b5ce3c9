package dev.pawl;

import java.time.Duration;

/**
 * How long finished jobs stay in the history before they are pruned. Zero keeps none in that state: such jobs are
 * deleted as they finish. A queue or a kind may be kept for a time of its own, see {@link RetentionRule}.
 *
 * @param completed default one day
 * @param cancelled default 7 days
 * @param discarded default 90 days; zero is refused, because somebody must be able to see a discarded job and its
 *     errors
 * @param mostCompleted how many completed jobs are kept at most, however young the others are: the last ones; about as many,
 *     since they are pruned once a minute, and jobs that were claimed together from a lane go together. Default {@link Long#MAX_VALUE}, which is no limit
 */
public record Retention(Duration completed, Duration cancelled, Duration discarded, long mostCompleted) {
    /** One day, 7 days, 90 days, however many. */
    public static final Retention DEFAULTS =
            new Retention(Duration.ofDays(1), Duration.ofDays(7), Duration.ofDays(90), Long.MAX_VALUE);

    /**
     * @throws InvalidJobException if a duration is negative, or zero for discarded jobs; or if the most completed jobs are
     *     less than one
     */
    public Retention {
        if (mostCompleted < 1) {
            throw new InvalidJobException("at most " + mostCompleted
                    + " completed jobs cannot be kept: use 1 or more, or a retention of zero to keep none");
        }
        if (completed.isNegative() || cancelled.isNegative()) {
            throw new InvalidJobException(
                    "a retention must not be negative: completed " + completed + ", cancelled " + cancelled);
        }
        if (discarded.isNegative() || discarded.isZero()) {
            throw new InvalidJobException("the retention of discarded jobs must be more than zero, not " + discarded);
        }
    }

    /**
     * @param duration how long completed jobs are kept; zero deletes them on completion
     * @return a copy
     */
    public Retention completed(Duration duration) {
        return new Retention(duration, cancelled, discarded, mostCompleted);
    }

    /**
     * @param duration how long cancelled jobs are kept
     * @return a copy
     */
    public Retention cancelled(Duration duration) {
        return new Retention(completed, duration, discarded, mostCompleted);
    }

    /**
     * @param duration how long discarded jobs are kept; more than zero
     * @return a copy
     */
    public Retention discarded(Duration duration) {
        return new Retention(completed, cancelled, duration, mostCompleted);
    }

    /**
     * @param most how many completed jobs are kept at most, the last ones; at least 1
     * @return a copy
     */
    public Retention mostCompleted(long most) {
        return new Retention(completed, cancelled, discarded, most);
    }
}
