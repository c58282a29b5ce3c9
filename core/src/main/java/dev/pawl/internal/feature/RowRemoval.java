package dev.pawl.internal.feature;

import dev.pawl.internal.jdbc.Dialect;
import java.sql.SQLException;

/** Statements of a feature for the rows of jobs that are taken away. */
@FunctionalInterface
public interface RowRemoval {
    /**
     * @param dialect of the database
     * @param jobs that are taken away; their rows are still there
     * @throws SQLException from the driver
     */
    void apply(Dialect dialect, RemovedJobs jobs) throws SQLException;
}
