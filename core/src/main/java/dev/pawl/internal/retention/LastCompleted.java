package dev.pawl.internal.retention;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the moment since which at most a number of jobs have completed. Jobs with a retention of their own are not
 * counted, except those of kinds that lie between others in a lane.
 */
final class LastCompleted {
    private final Database database;
    private final Dialect dialect;

    LastCompleted(Database database) {
        this.database = database;
        this.dialect = database.dialect();
    }

    /**
     * Keeps the last jobs, and any that finished in the same microsecond as the first of these. Jobs in a range of a lane
     * share one finish time, so all or none of them are kept.
     *
     * @param since all other jobs that completed before are pruned anyway
     * @return jobs that completed then or before may be deleted; empty if there are no more than that
     */
    Optional<Instant> before(long most, Rules.OfState completed, Instant since) throws SQLException {
        List<String> queues = List.copyOf(completed.queues().keySet());
        List<String> kinds = List.copyOf(completed.kinds().keySet());
        boolean all = queues.isEmpty() && kinds.isEmpty();
        Sql sql = dialect.planned("""
                SELECT MAX(finished_at) AS moment
                  FROM (SELECT finished_at, SUM(jobs) OVER (ORDER BY finished_at DESC) - jobs AS newer
                          FROM (SELECT finished_at, SUM(jobs) AS jobs
                                  FROM (SELECT finished_at, 1 AS jobs
                                          FROM (SELECT finished_at FROM pawl_job_history WHERE state = ?%1$s%2$s%3$s
                                                 ORDER BY finished_at DESC LIMIT ?) newest
                                        UNION ALL
                                        SELECT finished_at, completed FROM pawl_lane_range
                                         WHERE lease_expires_at IS NULL AND completed > 0 AND jobs_deleted = FALSE%4$s) either
                                 GROUP BY finished_at) together) counted
                 WHERE newer >= ?
                """.formatted(
                all ? "" : " AND finished_at > " + dialect.moment(),
                noneOf("queue", queues),
                noneOf("kind", kinds),
                queues.isEmpty()
                        ? ""
                        : " AND lane NOT IN (SELECT id FROM pawl_lane WHERE queue IN (" + places(queues) + "))"));
        List<Object> values = new ArrayList<>(List.of(JobState.COMPLETED.code()));
        if (!all) { // otherwise jobs that are kept for years would be read each time
            values.add(since);
        }
        values.addAll(queues);
        values.addAll(kinds);
        values.add(most + 1);
        values.addAll(queues);
        values.add(most);
        return database.autocommit(connection -> sql.on(connection, values.toArray())
                .query(row -> row.next() ? Optional.ofNullable(dialect.moment(row, "moment")) : Optional.empty()));
    }

    private static String noneOf(String column, List<String> names) {
        return names.isEmpty() ? "" : " AND " + column + " NOT IN (" + places(names) + ")";
    }

    private static String places(List<String> names) {
        return "?, ".repeat(names.size() - 1) + "?";
    }
}
