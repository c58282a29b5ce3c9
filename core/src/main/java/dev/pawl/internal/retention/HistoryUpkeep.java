package dev.pawl.internal.retention;

import dev.pawl.api.JobState;
import dev.pawl.api.Retention;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.place.PlacePruner.LinkedDeletion;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;

/** Database-specific maintenance of the history, besides deleting rows. */
@FunctionalInterface
public interface HistoryUpkeep {
    /** No maintenance, for a plain table. */
    HistoryUpkeep NONE = (database, retention, linked) -> Map.of();

    /**
     * Creates and drops partitions, if there are any.
     *
     * @param database the pool
     * @param retention how long each state is kept
     * @param linked deletes the rows that are linked to the jobs of a dropped partition
     * @return for each state whose days are dropped as a whole, the beginning of the oldest day that is kept. It is a day earlier if a
     *     change of the partitions has failed, because an expired day may still be there
     * @throws SQLException from the driver
     */
    Map<JobState, Instant> maintain(Database database, Retention retention, LinkedDeletion linked) throws SQLException;
}
