package dev.pawl.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How all queues were at a moment.
 *
 * @param at when, by the database's clock
 * @param span over which time before it ended jobs were counted
 * @param queues those with jobs: the hundred with the most
 * @param runs how long the runs took that ended in that time, of the twenty kinds with the most and of all others together; of workers
 *     that tell: the thousand newest, ten seconds late at most
 */
public record Sample(Instant at, Duration span, List<QueueSample> queues, List<RunLengths> runs) {
    /** Copies the lists. */
    public Sample {
        queues = List.copyOf(queues);
        runs = List.copyOf(runs);
    }
}
