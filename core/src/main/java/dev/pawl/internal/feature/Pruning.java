package dev.pawl.internal.feature;

import java.sql.SQLException;
import java.time.Instant;

/** Deletes rows of a feature that belong to no job and are no longer needed. Used by one thread at a time. */
@FunctionalInterface
public interface Pruning {
    /**
     * Deletes a few rows in each transaction, until nothing is left to delete or the thread is interrupted.
     *
     * @param keptSince no rule keeps a job that finished before this moment, by the database's clock; the year 1970 if the rules cannot be
     *     read
     * @throws SQLException from the driver
     */
    void prune(Instant keptSince) throws SQLException;
}
