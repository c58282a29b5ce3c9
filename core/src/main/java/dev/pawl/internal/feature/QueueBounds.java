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
     * @param connection used if the cached bounds are older than {@code maxAge}
     * @param maxAge of cached bounds
     * @return the bounds by queue, only of queues that have a bound
     * @throws SQLException from the driver
     */
    Map<String, Integer> maxWaiting(Connection connection, Duration maxAge) throws SQLException;

    /** {@return bounds that apply the smaller limit for each queue} */
    default QueueBounds min(Map<String, Integer> others) {
        if (others.isEmpty()) {
            return this;
        }
        Map<String, Integer> fixed = Map.copyOf(others);
        return (connection, maxAge) -> {
            Map<String, Integer> both = new HashMap<>(maxWaiting(connection, maxAge));
            fixed.forEach((queue, limit) -> both.merge(queue, limit, Math::min));
            return both;
        };
    }
}
