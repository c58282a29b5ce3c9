package dev.pawl.internal.settle;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.store.LogLine;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts how often stopping workers interrupted a run of a job. For each interruption, the job's log contains a line. */
public final class InterruptionCount {
    private InterruptionCount() {}

    /**
     * @param connection to read on
     * @param dialect of the database
     * @param jobIds of the jobs
     * @return the number of interruptions by job; jobs without interruptions are absent
     * @throws SQLException from the driver
     */
    public static Map<Long, Integer> of(Connection connection, Dialect dialect, Collection<Long> jobIds)
            throws SQLException {
        Map<Long, Integer> counts = new HashMap<>();
        if (jobIds.isEmpty()) {
            return counts;
        }
        List<Long> ids = List.copyOf(jobIds);
        Sql sql = dialect.planned("SELECT job_id, COUNT(*) FROM pawl_job_log WHERE "
                + dialect.anyOf("job_id", ids.size()) + " AND line LIKE ? GROUP BY job_id");
        sql.on(connection, ids, LogLine.INTERRUPTED + "%").each(rows -> counts.put(rows.getLong(1), rows.getInt(2)));
        return counts;
    }
}
