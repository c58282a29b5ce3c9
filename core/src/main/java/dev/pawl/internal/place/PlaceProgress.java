package dev.pawl.internal.place;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** Counts the jobs of a place that have completed since the last count. The first call counts nothing. Not thread-safe. */
@FunctionalInterface
public interface PlaceProgress {
    /**
     * {@return the number of jobs by queue}
     *
     * @throws SQLException from the driver
     */
    Map<String, Long> count(Connection connection) throws SQLException;
}
