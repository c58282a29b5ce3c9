package dev.pawl.internal.retention;

import dev.pawl.api.JobState;
import dev.pawl.internal.feature.JobTable;
import dev.pawl.internal.feature.LinkedRows;
import dev.pawl.internal.feature.RemovedJobs;
import dev.pawl.internal.feature.Transition;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** Deletes jobs from the history, and the rows that are linked to them. */
final class Removal {
    private final Dialect dialect;
    private final LinkedRows linked;

    Removal(Dialect dialect, LinkedRows linked) {
        this.dialect = dialect;
        this.linked = linked;
    }

    /**
     * The part of the history that contains the jobs to delete. A history that is partitioned by day has no index over all days, so without
     * this restriction each partition would be read.
     *
     * @param state of all jobs
     * @param first the earliest time at which one of the jobs finished
     * @param last the latest time
     */
    record Span(JobState state, Instant first, Instant last) {
        static final String CONDITION = "state = ? AND finished_at >= %1$s AND finished_at <= %1$s";

        /** {@return the statement with the values of the condition bound first} */
        Sql.Bound on(Connection connection, Sql sql) {
            return sql.on(connection, state.code(), first, last);
        }
    }

    /** Deletes jobs whose rows the caller has locked. */
    void delete(Connection connection, Span span, List<Long> ids) throws SQLException {
        if (!ids.isEmpty()) {
            linked.remove(Transition.PRUNE, new RemovedJobs(connection, JobTable.HISTORY, ids));
            Sql sql = dialect.planned("DELETE FROM pawl_job_history WHERE " + Span.CONDITION.formatted(dialect.moment())
                    + " AND " + dialect.anyOf("id", ids.size()));
            span.on(connection, sql).bind(ids).run();
        }
    }

    /** Deletes the rows that are linked to jobs without rows, or whose rows are dropped as a whole. */
    void deleteLinked(Connection connection, List<Long> ids) throws SQLException {
        linked.remove(Transition.PRUNE, new RemovedJobs(connection, null, ids));
    }
}
