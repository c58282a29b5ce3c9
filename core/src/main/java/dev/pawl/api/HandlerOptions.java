package dev.pawl.api;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Options of one kind's handler. Immutable.
 *
 * @param timeout duration after which a run is interrupted and counts as failed, at most ten years; null for no limit.
 *     Default null
 * @param retryPolicy the policy after a failure; null for the worker's. Default null
 * @param weight how much of the worker's {@linkplain dev.pawl.WorkerBuilder#concurrency concurrency} a job takes while it runs,
 *     1 to 10,000 and at most the concurrency. Default 1
 */
public record HandlerOptions(
        @Nullable Duration timeout, @Nullable RetryPolicy retryPolicy, int weight) {
    /** No timeout, the worker's retry policy, weight 1. */
    public static final HandlerOptions DEFAULTS = new HandlerOptions(null, null, 1);

    private static final Duration LONGEST = Duration.ofDays(3653);

    /**
     * @throws IllegalArgumentException if the timeout is zero, negative or longer than ten years, or if the weight is outside its range
     */
    public HandlerOptions {
        if (weight < 1 || weight > 10_000) {
            throw new IllegalArgumentException("weight " + weight + " is not valid: use 1 to 10000");
        }
        if (timeout != null && (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST) > 0)) {
            throw new IllegalArgumentException("timeout " + timeout
                    + " is not valid: use more than zero and at most ten years, or null for no limit");
        }
    }

    /**
     * Sets the timeout.
     *
     * @param duration after which a run is interrupted and counts as failed; more than zero, at most ten years
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range
     */
    public HandlerOptions timeout(Duration duration) {
        return new HandlerOptions(duration, retryPolicy, weight);
    }

    /**
     * Sets the retry policy.
     *
     * @param policy the policy after a failure
     * @return a copy
     */
    public HandlerOptions retryPolicy(RetryPolicy policy) {
        return new HandlerOptions(timeout, policy, weight);
    }

    /**
     * Sets how much of the worker's concurrency a job takes while it runs: with a concurrency of 20, at most five jobs of weight 4 run at
     * once, or three of them and eight of weight 1. Other jobs may overtake a job that needs more than is free, until the total weight of
     * these jobs equals the concurrency. From then on, freed capacity is reserved for the waiting job.
     *
     * @param units 1 to 10,000; the worker does not start if it exceeds the concurrency
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range
     */
    public HandlerOptions weight(int units) {
        return new HandlerOptions(timeout, retryPolicy, units);
    }
}
