package dev.pawl.internal.place;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Deletes completed jobs of a place whose retention has expired. Keeps its position between calls. Not thread-safe. */
public interface PlacePruner {
    /** Retention of the jobs of a queue. */
    @FunctionalInterface
    interface OfQueue {
        /** {@return the terms; null to keep all its jobs} */
        @Nullable
        RetentionTerms terms(String queue);
    }

    /** Deletes the rows that are linked to jobs. */
    @FunctionalInterface
    interface LinkedDeletion {
        /**
         * @param connection in a transaction
         * @param ids of completed jobs
         * @throws SQLException from the driver
         */
        void delete(Connection connection, List<Long> ids) throws SQLException;
    }

    /** Starts again at the first job, because retention has changed or jobs may have been skipped. */
    void startOver();

    /**
     * Deletes jobs whose retention has expired.
     *
     * @param terms of each queue
     * @param linked deletes the rows that are linked to these jobs
     * @param mostSlices maximum number of slices of jobs that a call reads, counted separately for each part of the place and each entry of
     *     {@link RetentionTerms#shorter}; the next call continues after them
     * @return how many jobs were deleted
     * @throws SQLException the first error, after all other parts were pruned
     */
    long prune(OfQueue terms, LinkedDeletion linked, int mostSlices) throws SQLException;
}
