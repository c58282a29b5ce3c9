package dev.pawl.internal.place;

import dev.pawl.internal.store.QueueAndKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Counts jobs of a place. Locks nothing. Thread-safe. */
public interface PlaceCounts {
    /**
     * {@return the counts of each queue that has jobs here, or may have some}
     *
     * @param most limit up to which available jobs of a part of the place are counted
     * @throws SQLException from the driver
     */
    Map<String, QueueCount> counts(Connection connection, int most) throws SQLException;

    /**
     * {@return how many completed jobs of each queue are kept}
     *
     * @throws SQLException from the driver
     */
    Map<String, Long> completed(Connection connection) throws SQLException;

    /**
     * {@return how many jobs of a queue are available, counted up to a limit in each part of the place}
     *
     * @throws SQLException from the driver
     */
    long waiting(Connection connection, String queue, int most) throws SQLException;

    /**
     * {@return how many jobs of a queue and kind are available, counted up to ten thousand in each part of the place}
     *
     * @throws SQLException from the driver
     */
    long waiting(Connection connection, String queue, String kind) throws SQLException;

    /**
     * {@return how many available jobs of a queue come before a job with this priority and id, counted up to a limit in each part}
     *
     * @throws SQLException from the driver
     */
    long before(Connection connection, String queue, int priority, long id, int most) throws SQLException;

    /**
     * {@return how many jobs of a queue were claimed within this time and have completed}
     *
     * @throws SQLException from the driver
     */
    long completedLately(Connection connection, String queue, Duration span) throws SQLException;

    /**
     * {@return the queues and kinds with available jobs that no worker claims}
     *
     * @param isCovered tells whether a live worker handles a kind in a queue
     * @throws SQLException from the driver
     */
    List<QueueAndKind> uncovered(Connection connection, Predicate<QueueAndKind> isCovered) throws SQLException;
}
