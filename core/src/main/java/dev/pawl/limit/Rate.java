package dev.pawl.limit;

import java.time.Duration;

/**
 * A maximum rate of starts across all workers: no interval of the given length has more starts, wherever it begins. Starts are spread over
 * the interval, and a small part of them is left unused to guarantee the maximum. With an interval of one second, a burst may have a
 * twelfth of the starts, and a sixth of the starts is left unused. Both fractions are smaller for longer intervals.
 *
 * @param starts the number of starts, 1 to 1,000,000
 * @param per the length of the interval, one second to 31 days
 */
public record Rate(int starts, Duration per) {
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(31);

    /**
     * @throws IllegalArgumentException if a value is outside its range
     */
    public Rate {
        if (starts < 1 || starts > 1_000_000) {
            throw new IllegalArgumentException("a rate of " + starts + " starts is not valid: use 1 to 1000000");
        }
        if (per.compareTo(SHORTEST) < 0 || per.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "a rate per " + per + " is not valid: use one second to 31 days, such as 100 per minute");
        }
    }

    /** {@return the rate as text: {@code 100 per PT1M}} */
    @Override
    public String toString() {
        return starts + " per " + per;
    }
}
