package dev.pawl.internal.retention;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.place.JobPlaces;
import dev.pawl.internal.place.PlaceSql;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Finds the time since which at most a certain number of jobs have completed. Jobs whose queue or kind has its own retention are not
 * counted. In places without rows, only the queue decides, because kinds are not counted separately there.
 */
final class LastCompleted {
    private final Database database;
    private final Dialect dialect;

    LastCompleted(Database database) {
        this.database = database;
        this.dialect = database.dialect();
    }

    /**
     * Keeps this number of jobs, and all that finished in the same microsecond as the oldest of them. Where jobs have no rows, and so no
     * finish time of their own, jobs that were claimed together are kept together.
     *
     * @param since jobs without a retention of their own that completed before this time are pruned anyway
     * @return the latest finish time of the jobs that may be deleted; empty if there are no more jobs than this number
     */
    Optional<Instant> before(long most, Rules.OfState completed, Instant since) throws SQLException {
        List<PlaceSql> places = JobPlaces.sql();
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
                                        %4$s) either
                                 GROUP BY finished_at) together) counted
                 WHERE newer >= ?
                """.formatted(
                        all ? "" : " AND finished_at > " + dialect.moment(),
                        noneOf("queue", queues),
                        noneOf("kind", kinds),
                        places.stream()
                                .map(place -> "UNION ALL " + place.completed(queues.size()))
                                .collect(Collectors.joining(" "))));
        List<Object> values = new ArrayList<>(List.of(JobState.COMPLETED.code()));
        if (!all) { // without this bound, jobs that are kept for years would be read each time
            values.add(since);
        }
        values.addAll(queues);
        values.addAll(kinds);
        values.add(most + 1);
        places.forEach(place -> values.addAll(queues));
        values.add(most);
        return database.autocommit(connection -> sql.on(connection, values.toArray())
                .query(row -> row.next() ? Optional.ofNullable(dialect.moment(row, "moment")) : Optional.empty()));
    }

    private static String noneOf(String column, List<String> names) {
        return names.isEmpty() ? "" : " AND " + column + " NOT IN (" + "?, ".repeat(names.size() - 1) + "?)";
    }
}
