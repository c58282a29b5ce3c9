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
 */
public record Sample(Instant at, Duration span, List<QueueSample> queues) {
    /** Copies the list. */
    public Sample {
        queues = List.copyOf(queues);
    }
}
