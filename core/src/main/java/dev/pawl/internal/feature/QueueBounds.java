package dev.pawl.internal.feature;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** How many jobs may wait in each queue. Thread-safe. */
@FunctionalInterface
public interface QueueBounds {
    /**
     * @param connection to read on, unless what is known is recent enough
     * @param maxAge of the bounds
     * @return the bounds by queue; without the queues that have none
     * @throws SQLException from the driver
     */
    Map<String, Integer> mostWaiting(Connection connection, Duration maxAge) throws SQLException;

    /** {@return the smaller one of two bounds of each queue} */
    default QueueBounds and(Map<String, Integer> others) {
        if (others.isEmpty()) {
            return this;
        }
        Map<String, Integer> fixed = Map.copyOf(others);
        return (connection, maxAge) -> {
            Map<String, Integer> both = new HashMap<>(mostWaiting(connection, maxAge));
            fixed.forEach((queue, most) -> both.merge(queue, most, Math::min));
            return both;
        };
    }
}
