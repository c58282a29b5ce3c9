package dev.pawl.internal.place;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Retention of the completed jobs of a queue.
 *
 * @param last jobs that finished then or before are deleted
 * @param longer kinds whose jobs are kept longer
 * @param shorter kinds whose jobs are deleted earlier
 */
public record RetentionTerms(Instant last, Set<String> longer, List<Shorter> shorter) {
    /**
     * Kinds with the same retention.
     *
     * @param length of the retention
     * @param last jobs that finished then or before are deleted
     * @param kinds that have it
     */
    public record Shorter(Duration length, Instant last, Set<String> kinds) {}
}
