package dev.pawl.internal.retention;

import dev.pawl.api.Retention;
import dev.pawl.internal.jdbc.Database;
import java.sql.SQLException;

/** Database-specific maintenance of the history, besides deleting rows. */
@FunctionalInterface
public interface HistoryUpkeep {
    /** No maintenance, for a plain table. */
    HistoryUpkeep NONE = (database, retention) -> {};

    /**
     * Creates and drops partitions, if there are any.
     *
     * @param database the pool
     * @param retention how long each state is kept
     * @throws SQLException from the driver
     */
    void maintain(Database database, Retention retention) throws SQLException;
}
