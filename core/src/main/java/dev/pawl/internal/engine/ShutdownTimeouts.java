package dev.pawl.internal.engine;

import java.time.Duration;

/**
 * Timeouts of a stopping worker.
 *
 * @param claim for a claim in progress
 * @param interrupted for handlers after their interrupt
 * @param database for remaining writes, beyond the grace period
 * @param grace for handlers, if the stop is a remote command
 */
public record ShutdownTimeouts(Duration claim, Duration interrupted, Duration database, Duration grace) {
    /** Long enough for a database that is merely slow. */
    public static final ShutdownTimeouts USUAL = new ShutdownTimeouts(
            Duration.ofSeconds(2), Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(30));

    /**
     * @param other for handlers
     * @return a copy with this grace period
     */
    public ShutdownTimeouts withGrace(Duration other) {
        return new ShutdownTimeouts(claim, interrupted, database, other);
    }
}
