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

    /**
     * @throws InvalidJobException if the timeout is not positive
     */
    public HandlerOptions {
        if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
            throw new InvalidJobException("timeout " + timeout + " is not valid: use more than zero");
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
