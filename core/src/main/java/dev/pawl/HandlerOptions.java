package dev.pawl;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Options of one kind's handler. Immutable.
 *
 * @param timeout how long a run may take before it is interrupted and counts as failed; null for no limit. Default null
 * @param retryPolicy how long to wait after a failure; null for the worker's. Default null
 */
public record HandlerOptions(
        @Nullable Duration timeout, @Nullable RetryPolicy retryPolicy) {
    /** No timeout, the worker's retry policy. */
    public static final HandlerOptions DEFAULTS = new HandlerOptions(null, null);

    private static final Duration LONGEST = Duration.ofDays(3653);

    /**
     * @throws InvalidJobException if the timeout is not positive or longer than ten years
     */
    public HandlerOptions {
        if (timeout != null && (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST) > 0)) {
            throw new InvalidJobException("timeout " + timeout
                    + " is not valid: use more than zero and at most ten years, or null for no limit");
        }
    }

    /**
     * @param duration how long a run may take
     * @return a copy
     */
    public HandlerOptions timeout(Duration duration) {
        return new HandlerOptions(duration, retryPolicy);
    }

    /**
     * @param policy how long to wait after a failure
     * @return a copy
     */
    public HandlerOptions retryPolicy(RetryPolicy policy) {
        return new HandlerOptions(timeout, policy);
    }
}
