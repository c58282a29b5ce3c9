package dev.pawl.internal.settle;

import dev.pawl.api.JobState;
import dev.pawl.api.Retention;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Tells whether jobs that end in a state are kept at all. If the program's own retention keeps them, nothing is read. Otherwise, the
 * database is read every few seconds for queues and kinds with a retention of their own. If there are such queues or kinds, all jobs are
 * kept at first, and jobs of other queues and kinds are pruned later. Thread-safe.
 */
public final class KeptStates {
    private static final long KNOWN_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Retention retention;
    private final Sql rules;
    private volatile Known known = new Known(false, false, System.nanoTime() - KNOWN_NANOS);

    private record Known(boolean completed, boolean cancelled, long nanos) {}

    /**
     * @param dialect the product
     * @param retention of all jobs, as the program sets it
     */
    public KeptStates(Dialect dialect, Retention retention) {
        this.retention = retention;
        rules = dialect.statement(
                "SELECT COALESCE(MAX(completed), 0), COALESCE(MAX(cancelled), 0) FROM pawl_retention WHERE name <> ''");
    }

    /** {@return whether the program itself keeps jobs that end in this state; then the database is not read} */
    public boolean always(JobState state) {
        Duration keep = state == JobState.COMPLETED
                ? retention.completed()
                : state == JobState.CANCELLED ? retention.cancelled() : retention.discarded();
        return !keep.isZero();
    }

    /**
     * @param connection to the database, in or out of a transaction
     * @param state in which jobs end
     * @return whether they go to the history
     * @throws SQLException from the driver
     */
    public boolean keeps(Connection connection, JobState state) throws SQLException {
        if (always(state)) {
            return true;
        }
        Known last = known;
        if (System.nanoTime() - last.nanos >= KNOWN_NANOS) {
            last = rules(connection);
            known = last;
        }
        return state == JobState.COMPLETED ? last.completed : last.cancelled;
    }

    private Known rules(Connection connection) throws SQLException {
        long now = System.nanoTime();
        return rules.on(connection).one(row -> new Known(row.getLong(1) > 0, row.getLong(2) > 0, now));
    }
}
