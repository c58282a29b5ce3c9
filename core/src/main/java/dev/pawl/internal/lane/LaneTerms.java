package dev.pawl.internal.lane;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Retention of the completed jobs in a queue's lanes.
 *
 * @param last ranges that finished then or before are deleted
 * @param longer kinds whose jobs are kept longer: they are written to the history before their range is deleted
 * @param shorter kinds whose jobs are deleted before their range
 */
public record LaneTerms(Instant last, Set<String> longer, List<Shorter> shorter) {
    /**
     * Kinds with the same retention.
     *
     * @param length of the retention
     * @param last jobs that finished then or before are deleted
     * @param kinds that have it
     */
    public record Shorter(Duration length, Instant last, Set<String> kinds) {}
}
