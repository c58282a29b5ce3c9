package dev.pawl;

import java.time.Duration;

/**
 * How many jobs a {@link ChunkHandler} gets at once. Immutable.
 *
 * @param size the most jobs of a call: 1 to 1,000; a worker with interceptors gives it 400 at most, divided by their number,
 *     because they stand around each run, one within the other; and half as many each time that they do not fit on a thread's stack
 * @param linger how long the first job of a chunk that is not full waits for others: zero to one minute. Default zero: a call gets what is
 *     there
 */
public record ChunkOptions(int size, Duration linger) {
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /**
     * @throws InvalidJobException if something is outside its range
     */
    public ChunkOptions {
        if (size < 1 || size > 1_000) {
            throw new InvalidJobException("a chunk of " + size + " jobs is not valid: use 1 to 1000");
        }
        if (linger.isNegative() || linger.compareTo(LONGEST) > 0) {
            throw new InvalidJobException("a chunk cannot wait for " + linger + ": use zero to one minute");
        }
    }

    /**
     * @param most jobs of a call, 1 to 1,000
     * @return chunks of what is there
     */
    public static ChunkOptions of(int most) {
        return new ChunkOptions(most, Duration.ZERO);
    }

    /**
     * How long the first job of a chunk that is not full waits for others, counted from its claim.
     *
     * @param longest zero to one minute
     * @return a copy
     */
    public ChunkOptions linger(Duration longest) {
        return new ChunkOptions(size, longest);
    }
}
