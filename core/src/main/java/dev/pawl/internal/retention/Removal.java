package dev.pawl.internal.retention;

import dev.pawl.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** Deletes jobs of the history with everything that belongs to them. */
final class Removal {
    private final Dialect dialect;

    Removal(Dialect dialect) {
        this.dialect = dialect;
    }

    /**
     * Where in the history jobs are. A history that is kept by day has no index over all days: without this each of them
     * is looked into.
     *
     * @param state of all
     * @param first when one of them ended at the earliest
     * @param last and at the latest
     */
    record Span(JobState state, Instant first, Instant last) {
        static final String CONDITION = "state = ? AND finished_at >= %1$s AND finished_at <= %1$s";

        /** {@return a statement that begins with the condition} */
        Sql.Bound on(Connection connection, Sql sql) {
            return sql.on(connection, state.code(), first, last);
        }
    }

    /** The caller has locked the rows. */
    void delete(Connection connection, Span span, List<Long> ids) throws SQLException {
        if (!ids.isEmpty()) {
            deleteBelongings(connection, ids);
            Sql sql = dialect.planned("DELETE FROM pawl_job_history WHERE " + Span.CONDITION.formatted(dialect.moment())
                    + " AND " + dialect.anyOf("id", ids.size()));
            span.on(connection, sql).bind(ids).run();
        }
    }

    void deleteBelongings(Connection connection, List<Long> ids) throws SQLException {
        delete(connection, "pawl_attempt", "job_id", ids);
        delete(connection, "pawl_job_log", "job_id", ids);
        delete(connection, "pawl_assignment", "job_id", ids);
        delete(connection, "pawl_step", "job_id", ids);
        delete(connection, "pawl_result", "job_id", ids);
    }

    private void delete(Connection connection, String table, String column, List<Long> ids) throws SQLException {
        Sql sql = dialect.planned("DELETE FROM " + table + " WHERE " + dialect.anyOf(column, ids.size()));
        sql.on(connection, ids).run();
    }
}
