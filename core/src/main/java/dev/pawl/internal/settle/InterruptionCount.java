package dev.pawl.internal.settle;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.store.LogLine;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts, in the logs of jobs, the lines that workers wrote when they stopped and interrupted a run. */
public final class InterruptionCount {
    private InterruptionCount() {}

    /**
     * @param connection to read on
     * @param dialect of the database
     * @param jobIds of the jobs
     * @return how many there are of each job that has some
     * @throws SQLException from the driver
     */
    public static Map<Long, Integer> of(Connection connection, Dialect dialect, Collection<Long> jobIds)
            throws SQLException {
        Map<Long, Integer> counts = new HashMap<>();
        if (jobIds.isEmpty()) {
            return counts;
        }
        List<Long> ids = List.copyOf(jobIds);
        String sql = dialect.sql("SELECT job_id, COUNT(*) FROM pawl_job_log WHERE "
                + dialect.anyOf("job_id", ids.size()) + " AND line LIKE ? GROUP BY job_id");
        try (PreparedStatement statement = dialect.planned(connection, sql)) {
            int index = dialect.bindIds(statement, 1, ids);
            statement.setString(index, LogLine.INTERRUPTED + "%");
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    counts.put(rows.getLong(1), rows.getInt(2));
                }
            }
        }
        return counts;
    }
}
