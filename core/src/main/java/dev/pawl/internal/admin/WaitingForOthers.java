package dev.pawl.internal.admin;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.RowStates;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Jobs that wait for other jobs or their batch, and not for a time.
 *
 * @param blocked by other jobs of their concurrency key
 * @param pending for other jobs of their workflow
 * @param paused paused with their batch, or waiting for its first jobs
 */
public record WaitingForOthers(long blocked, long pending, long paused) {
    static final WaitingForOthers NONE = new WaitingForOthers(0, 0, 0);

    WaitingForOthers plus(WaitingForOthers other) {
        return new WaitingForOthers(blocked + other.blocked, pending + other.pending, paused + other.paused);
    }

    /** {@return the number of all these jobs} */
    long all() {
        return blocked + pending + paused;
    }

    /** {@return the counts for a number of jobs that are all in the given state} */
    static WaitingForOthers of(JobState state, long jobs) {
        return new WaitingForOthers(
                state == JobState.BLOCKED ? jobs : 0,
                state == JobState.PENDING ? jobs : 0,
                state == JobState.PAUSED ? jobs : 0);
    }

    /** {@return three columns of an aggregate over rows, each after a comma} */
    static String columns() {
        String sum = ", COALESCE(SUM(CASE WHEN %s THEN 1 ELSE 0 END), 0)";
        return sum.formatted(RowStates.is(JobState.BLOCKED))
                + sum.formatted(RowStates.is(JobState.PENDING))
                + sum.formatted(RowStates.is(JobState.PAUSED));
    }

    /**
     * @param first the index of the first of the three columns
     */
    static WaitingForOthers of(ResultSet row, int first) throws SQLException {
        return new WaitingForOthers(row.getLong(first), row.getLong(first + 1), row.getLong(first + 2));
    }
}
