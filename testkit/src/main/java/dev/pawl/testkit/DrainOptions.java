package dev.pawl.testkit;

import java.time.Duration;

/**
 * Limits of {@link QueueTester#drainNow}, and whether handlers may fail. Immutable; start from {@link #DEFAULTS}.
 *
 * @param timeout maximum duration, 1 ms to 1 hour. Default 30 s
 * @param runs maximum number of runs, 1 to 1,000,000, which detects jobs that enqueue themselves endlessly. Default 10,000
 * @param failuresAllowed whether runs may fail. Default false: if a run has failed, the test fails after the last run, with the stack trace
 */
public record DrainOptions(Duration timeout, int runs, boolean failuresAllowed) {
    /** Thirty seconds, 10,000 runs, no failures. */
    public static final DrainOptions DEFAULTS = new DrainOptions(Duration.ofSeconds(30), 10_000, false);

    /**
     * @throws IllegalArgumentException if a value is outside its range
     */
    public DrainOptions {
        if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("timeout " + timeout + " is not valid: use 1 ms to 1 hour");
        }
        if (runs < 1 || runs > 1_000_000) {
            throw new IllegalArgumentException("runs " + runs + " is not valid: use 1 to 1000000");
        }
    }

    /**
     * @param most maximum duration, 1 ms to 1 hour
     * @return a copy
     */
    public DrainOptions timeout(Duration most) {
        return new DrainOptions(most, runs, failuresAllowed);
    }

    /**
     * @param most maximum number of runs, 1 to 1,000,000
     * @return a copy
     */
    public DrainOptions runs(int most) {
        return new DrainOptions(timeout, most, failuresAllowed);
    }

    /** {@return a copy that reports failures in {@link Drained#failures} instead of failing the test} */
    public DrainOptions allowFailures() {
        return new DrainOptions(timeout, runs, true);
    }
}
