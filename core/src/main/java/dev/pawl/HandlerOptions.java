package dev.pawl;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Options of one kind's handler. Immutable.
 *
 * @param timeout how long a run may take before it is interrupted and counts as failed; null for no limit. Default null
 * @param retryPolicy how long to wait after a failure; null for the worker's. Default null
 * @param weight how many of the worker's places ({@link WorkerBuilder#concurrency}) a job takes while it runs here: 1 to 10,000, and no
 *     more than the worker has. Default 1
 */
public record HandlerOptions(
        @Nullable Duration timeout, @Nullable RetryPolicy retryPolicy, int weight) {
    /** No timeout, the worker's retry policy, one place. */
    public static final HandlerOptions DEFAULTS = new HandlerOptions(null, null, 1);

    private static final Duration LONGEST = Duration.ofDays(3653);

    /**
     * @throws InvalidJobException if the timeout is not positive or longer than ten years, or the weight outside its range
     */
    public HandlerOptions {
        if (weight < 1 || weight > 10_000) {
            throw new InvalidJobException("weight " + weight + " is not valid: use 1 to 10000");
        }
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
        return new HandlerOptions(duration, retryPolicy, weight);
    }

    /**
     * @param policy how long to wait after a failure
     * @return a copy
     */
    public HandlerOptions retryPolicy(RetryPolicy policy) {
        return new HandlerOptions(timeout, policy, weight);
    }

    /**
     * How many of the worker's places a job takes while it runs: with a concurrency of 20, no more than five jobs of weight 4 run at
     * once there, or three of them beside eight others. One that finds too few places free is passed by others for as many places as the
     * worker has; then places are kept for it.
     *
     * @param places 1 to 10,000, and no more than the worker's concurrency, or it does not start
     * @return a copy
     */
    public HandlerOptions weight(int places) {
        return new HandlerOptions(timeout, retryPolicy, places);
    }
}
