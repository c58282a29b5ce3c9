package dev.pawl.internal.engine;

import java.time.Duration;

/**
 * How long a stopping worker waits for others.
 *
 * @param claim for a claim that is under way
 * @param interrupted for handlers after they were interrupted
 * @param database for what is still to be written, beyond the grace time
 */
public record Patience(Duration claim, Duration interrupted, Duration database) {
    /** Long enough for a database that is merely slow. */
    public static final Patience USUAL =
            new Patience(Duration.ofSeconds(2), Duration.ofSeconds(5), Duration.ofSeconds(5));
}
