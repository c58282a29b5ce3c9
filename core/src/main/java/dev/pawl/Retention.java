package dev.pawl;

import java.time.Duration;

/**
 * How long finished jobs stay in the history before they are pruned. Zero keeps none in that state: such jobs are
 * deleted as they finish.
 *
 * @param completed default one day
 * @param cancelled default 7 days
 * @param discarded default 90 days; zero is refused, because somebody must be able to see a discarded job and its
 *     errors
 */
public record Retention(Duration completed, Duration cancelled, Duration discarded) {
    /** One day, 7 days, 90 days. */
    public static final Retention DEFAULTS = new Retention(Duration.ofDays(1), Duration.ofDays(7), Duration.ofDays(90));

    /**
     * @throws InvalidJobException if a duration is negative, or zero for discarded jobs
     */
    public Retention {
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
        return new Retention(duration, cancelled, discarded);
    }

    /**
     * @param duration how long cancelled jobs are kept
     * @return a copy
     */
    public Retention cancelled(Duration duration) {
        return new Retention(completed, duration, discarded);
    }

    /**
     * @param duration how long discarded jobs are kept; more than zero
     * @return a copy
     */
    public Retention discarded(Duration duration) {
        return new Retention(completed, cancelled, duration);
    }
}
