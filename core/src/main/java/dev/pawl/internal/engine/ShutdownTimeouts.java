package dev.pawl.internal.engine;

import java.time.Duration;

/**
 * How long a stopping worker waits for others.
 *
 * @param claim for a claim that is under way
 * @param interrupted for handlers after they were interrupted
 * @param database for what is still to be written, beyond the grace time
 * @param grace for handlers, if somebody far away stops the worker
 */
public record Patience(Duration claim, Duration interrupted, Duration database, Duration grace) {
    /** Long enough for a database that is merely slow. */
    public static final Patience USUAL =
            new Patience(Duration.ofSeconds(2), Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(30));

    /**
     * @param other for handlers
     * @return the same with that
     */
    public Patience withGrace(Duration other) {
        return new Patience(claim, interrupted, database, other);
    }
}
