package dev.pawl.internal.place;

import dev.pawl.api.Job;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the longest runs of a place, and the durations of recent ones; without payloads. Thread-safe. */
public interface PlaceRuns {
    /**
     * Running jobs.
     *
     * @param jobs in any order
     * @param isAtLeast whether there may be more, because the search stopped at a limit
     */
    record Runs(List<Job> jobs, boolean isAtLeast) {}

    /**
     * @param connection to read with
     * @param before only jobs that were claimed then or before
     * @param most maximum number of jobs
     * @return the running jobs that were claimed first
     * @throws SQLException from the driver
     */
    Runs running(Connection connection, Instant before, int most) throws SQLException;

    /**
     * @param connection to read with
     * @param kinds of interest
     * @return an upper bound for the longest recent run of each kind; without kinds that have no recent run
     * @throws SQLException from the driver
     */
    Map<String, Duration> longest(Connection connection, Set<String> kinds) throws SQLException;
}
