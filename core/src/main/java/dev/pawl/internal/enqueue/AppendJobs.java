package dev.pawl.internal.enqueue;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Appends new jobs to places where they have no rows of their own, such as lanes. Gets only jobs that are due at once, and for which no
 * feature needs a row. Thread-safe.
 */
@FunctionalInterface
public interface AppendJobs {
    /** {@return the destinations of the jobs of one call, which will be written on this connection} Sends no statement. */
    Destinations destinations(Connection connection);

    /** Destinations for the jobs of one call. Not thread-safe. */
    @FunctionalInterface
    interface Destinations {
        /**
         * @param options of a job
         * @return where it is appended; null if it gets a row
         * @throws SQLException from the driver
         */
        @Nullable
        Destination find(EnqueueOptions options) throws SQLException;
    }

    /**
     * {@return whether a job that needs no row would be appended by a single statement, so that the statement may commit on its own} Sends
     * no statement.
     *
     * @param options of the job
     */
    default boolean inOneStatement(EnqueueOptions options) {
        return false;
    }

    /** A destination of jobs. Destinations are equal if one statement may write the jobs of both. */
    interface Destination {
        /**
         * @param connection in the transaction
         * @param jobs as many as fit a {@link StatementSize}
         * @return their ids in order; empty if nothing can be appended any more, so that these jobs must get rows
         * @throws SQLException from the driver
         */
        List<Long> append(Connection connection, List<JobRequest> jobs) throws SQLException;
    }
}
