package dev.pawl.limit;

import dev.pawl.InvalidJobException;
import java.time.Duration;

/**
 * How often jobs may start: never more than so many within any span of so long, wherever the span begins, in the whole
 * cluster. Starts are spread over the span; a burst may take up a twentieth of it. To keep the promise, a little is left
 * unused: a sixth where the span is a second, less where it is longer.
 *
 * @param starts how many, 1 to 1,000,000
 * @param per the length of the span, one second to 31 days
 */
public record Rate(int starts, Duration per) {
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(31);

    /**
     * @throws InvalidJobException if a value is outside its range
     */
    public Rate {
        if (starts < 1 || starts > 1_000_000) {
            throw new InvalidJobException("a rate of " + starts + " starts is not valid: use 1 to 1000000");
        }
        if (per.compareTo(SHORTEST) < 0 || per.compareTo(LONGEST) > 0) {
            throw new InvalidJobException(
                    "a rate per " + per + " is not valid: use one second to 31 days, such as 100 per minute");
        }
    }

    /** {@return as people read it: {@code 100 per PT1M}} */
    @Override
    public String toString() {
        return starts + " per " + per;
    }
}
