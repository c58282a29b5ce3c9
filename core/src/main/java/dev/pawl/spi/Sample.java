package dev.pawl.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The state of all queues when a sample was taken.
 *
 * @param at when, by the database's clock
 * @param span the time before {@code at} in which finished jobs were counted
 * @param queues the hundred queues with the most jobs
 * @param runs durations of the runs that ended in that time, for the twenty kinds with the most runs, and for all other kinds together; as
 *     the thousand newest workers report them, each for its first sixteen kinds and the others together, at most ten seconds late
 */
public record Sample(Instant at, Duration span, List<QueueSample> queues, List<RunLengths> runs) {
    /** Copies the lists. */
    public Sample {
        queues = List.copyOf(queues);
        runs = List.copyOf(runs);
    }
}
