package dev.pawl.api;

import java.time.Duration;

/**
 * The size of the chunks of a {@link ChunkHandler}. Immutable.
 *
 * @param size the maximum number of jobs in a call, 1 to 1,000. {@link RunInterceptor}s reduce it, because the interceptors of all jobs of
 *     a call are nested on one thread's stack. A call then has at most 400 jobs divided by the number of interceptors. If a call overflows
 *     the stack, later ones have at most half of its jobs
 * @param linger how long the first job of an incomplete chunk waits for others, zero to one minute. Default zero: a
 *     call does not wait for more jobs
 */
public record ChunkOptions(int size, Duration linger) {
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /**
     * @throws IllegalArgumentException if a value is outside its range
     */
    public ChunkOptions {
        if (size < 1 || size > 1_000) {
            throw new IllegalArgumentException("a chunk of " + size + " jobs is not valid: use 1 to 1000");
        }
        if (linger.isNegative() || linger.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a chunk cannot wait for " + linger + ": use zero to one minute");
        }
    }

    /**
     * Returns options without linger.
     *
     * @param most the maximum number of jobs in a call, 1 to 1,000
     * @return the options
     * @throws IllegalArgumentException if it is outside the range
     */
    public static ChunkOptions of(int most) {
        return new ChunkOptions(most, Duration.ZERO);
    }

    /**
     * Sets how long the first job of an incomplete chunk waits for others, counted from its claim.
     *
     * @param longest zero to one minute
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range
     */
    public ChunkOptions linger(Duration longest) {
        return new ChunkOptions(size, longest);
    }
}
