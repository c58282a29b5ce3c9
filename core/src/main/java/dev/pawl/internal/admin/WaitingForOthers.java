package dev.pawl.internal.admin;

import dev.pawl.api.Job;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.store.PausedJobs;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Jobs that no moment makes available.
 *
 * @param blocked by other jobs of their concurrency key
 * @param pending for other jobs of their workflow
 * @param held paused with their batch, or waiting for its first jobs
 */
public record WaitingForOthers(long blocked, long pending, long held) {
    static final WaitingForOthers NONE = new WaitingForOthers(0, 0, 0);

    WaitingForOthers plus(WaitingForOthers other) {
        return new WaitingForOthers(blocked + other.blocked, pending + other.pending, held + other.held);
    }

    /** {@return three columns of an aggregate over rows with {@code attempt} and {@code available_at}, each after a comma} */
    static String columns(Dialect dialect, String condition) {
        String at = dialect.micros("available_at");
        String sum = ", COALESCE(SUM(CASE WHEN " + condition + "attempt = 0 AND %s THEN 1 ELSE 0 END), 0)";
        return sum.formatted(at + " = " + Micros.of(Job.PARKED))
                + sum.formatted(at + " = " + Micros.of(Job.BLOCKED))
                + sum.formatted(
                        at + " >= " + Micros.of(PausedJobs.FROM) + " AND " + at + " < " + Micros.of(PausedJobs.UNTIL));
    }

    /** @param first the column of the first */
    static WaitingForOthers of(ResultSet row, int first) throws SQLException {
        return new WaitingForOthers(row.getLong(first), row.getLong(first + 1), row.getLong(first + 2));
    }
}
