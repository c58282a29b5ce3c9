package dev.pawl.internal.lane;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * How long a queue's lanes keep what has completed.
 *
 * @param last ranges that finished then or before go
 * @param longer kinds whose jobs stay: they are written to the history before their range goes
 * @param shorter kinds whose jobs leave before their range
 */
public record LaneTerms(Instant last, Set<String> longer, List<Shorter> shorter) {
    /**
     * Kinds that are kept for the same time.
     *
     * @param length how long
     * @param last those that finished then or before go
     * @param kinds which
     */
    public record Shorter(Duration length, Instant last, Set<String> kinds) {}
}
