package dev.pawl.internal.enqueue;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

/** How many jobs may wait in each queue, as set for all programs. Thread-safe. */
@FunctionalInterface
public interface QueueBounds {
    /**
     * @param connection to read on, unless what is known is recent enough
     * @param maxAge of the bounds
     * @return the bounds by queue; without the queues that have none
     * @throws SQLException from the driver
     */
    Map<String, Integer> mostWaiting(Connection connection, Duration maxAge) throws SQLException;
}
