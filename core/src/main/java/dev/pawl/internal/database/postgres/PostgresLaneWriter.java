package dev.pawl.internal.database.postgres;

import static dev.pawl.internal.database.postgres.PostgresDialect.bindArray;
import static dev.pawl.internal.database.postgres.PostgresEnqueue.orEmpty;

import dev.pawl.api.JobRequest;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.lane.LaneWriter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Appends many jobs to a lane in one statement. */
final class PostgresLaneWriter implements LaneWriter {
    private final String append;
    private final String appendAlike;

    PostgresLaneWriter(Dialect dialect) {
        String into = "INSERT INTO pawl_lane_job (lane, created_at, max_attempts, kind, tags, headers, payload) ";
        append = dialect.sql(into + """
                SELECT ?, statement_timestamp(), r.max_attempts, r.kind, NULLIF(r.tags, ''), NULLIF(r.headers, ''), r.payload
                  FROM unnest(?::smallint[], ?::text[], ?::text[], ?::text[], ?::text[])
                       WITH ORDINALITY AS r (max_attempts, kind, tags, headers, payload, place)
                 WHERE EXISTS (SELECT 1 FROM pawl_lane WHERE id = ?)
                 ORDER BY r.place
                RETURNING id
                """);
        // Without a join the rows keep the order of the one array, and are neither collected nor sorted.
        appendAlike = dialect.sql(into + """
                SELECT ?, statement_timestamp(), ?::smallint, ?::text, ?::text, ?::text, unnest(?::text[])
                 WHERE EXISTS (SELECT 1 FROM pawl_lane WHERE id = ?)
                RETURNING id
                """);
    }

    /** Sends values that all jobs share once: the throughput of most batches grows by half. */
    @Override
    public List<Long> append(Connection connection, int lane, List<JobRequest> jobs) throws SQLException {
        JobRequest first = jobs.get(0);
        boolean alike = areAlike(jobs, first);
        try (PreparedStatement statement = connection.prepareStatement(alike ? appendAlike : append)) {
            statement.setInt(1, lane);
            if (alike) {
                statement.setInt(2, first.options().maxAttempts());
                statement.setString(3, first.kind());
                statement.setString(4, JsonStrings.tags(first.options().tags()));
                statement.setString(5, JsonStrings.headers(first.options().headers()));
            } else {
                bindArray(statement, 2, "smallint", jobs, job -> job.options().maxAttempts());
                bindArray(statement, 3, "text", jobs, JobRequest::kind);
                bindArray(
                        statement,
                        4,
                        "text",
                        jobs,
                        job -> orEmpty(JsonStrings.tags(job.options().tags())));
                bindArray(
                        statement,
                        5,
                        "text",
                        jobs,
                        job -> orEmpty(JsonStrings.headers(job.options().headers())));
            }
            bindArray(statement, 6, "text", jobs, JobRequest::payload);
            statement.setInt(7, lane);
            return PostgresEnqueue.ids(statement, jobs.size());
        }
    }

    private static boolean areAlike(List<JobRequest> jobs, JobRequest first) {
        for (JobRequest job : jobs) {
            if (!job.kind().equals(first.kind()) || !isAlike(job, first)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAlike(JobRequest one, JobRequest other) {
        return one.options().equals(other.options()) || haveAlike(one, other);
    }

    private static boolean haveAlike(JobRequest one, JobRequest other) {
        return one.options().maxAttempts() == other.options().maxAttempts()
                && one.options().tags().equals(other.options().tags())
                && one.options().headers().equals(other.options().headers());
    }
}
