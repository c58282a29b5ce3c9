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
 * @param runs durations of the runs that ended in that time, for each of the twenty kinds with the most runs, and for all other kinds
 *     together. The thousand newest workers report them, at most ten seconds late. A worker with more than sixteen kinds reports its later
 *     ones together
 */
public record Sample(Instant at, Duration span, List<QueueSample> queues, List<RunLengths> runs) {
    /** Copies the lists. */
    public Sample {
        queues = List.copyOf(queues);
        runs = List.copyOf(runs);
    }
}
