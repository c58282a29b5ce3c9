package dev.pawl.internal.database.postgres;

import static dev.pawl.internal.database.postgres.PostgresDialect.bindArray;

import dev.pawl.api.JobRequest;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.enqueue.InsertJobs;
import dev.pawl.internal.enqueue.LiveJob;
import dev.pawl.internal.enqueue.LiveJobs;
import dev.pawl.internal.enqueue.OwnOptions;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes many jobs in one statement. */
final class PostgresEnqueue implements InsertJobs {
    /** Stands for a missing moment in an array, which contains no NULL. An empty text stands for a missing text. */
    private static final long NO_MOMENT = -(1L << 62);

    private final LiveJobs liveJobs;
    private final String insert;
    private final String insertUnique;

    PostgresEnqueue(Dialect dialect) {
        liveJobs = new LiveJobs(dialect);
        // Ordinality sorts the rows by the order of the arrays before the identity column counts.
        String rows = """
                INSERT INTO pawl_job
                    (queue, kind, priority, max_attempts, state, available_at, created_at, unique_key, tags, headers, payload)
                SELECT r.queue, r.kind, r.priority, r.max_attempts, r.state,
                       CASE WHEN r.at_micros = NO_MOMENT
                            THEN statement_timestamp() + r.delay_micros * interval '1 microsecond'
                            ELSE timestamptz 'epoch' + r.at_micros * interval '1 microsecond' END,
                       statement_timestamp(), NULLIF(r.unique_key, ''), NULLIF(r.tags, ''), NULLIF(r.headers, ''),
                       r.payload
                  FROM unnest(?::text[], ?::text[], ?::smallint[], ?::smallint[], ?::bigint[], ?::bigint[],
                              ?::text[], ?::text[], ?::text[], ?::text[], ?::smallint[])
                       WITH ORDINALITY AS r (queue, kind, priority, max_attempts, delay_micros, at_micros,
                                             unique_key, tags, headers, payload, state, place)
                 ORDER BY r.place
                """.replace("NO_MOMENT", Long.toString(NO_MOMENT));
        insert = dialect.sql(rows + "RETURNING id");
        insertUnique = dialect.sql(
                rows + "ON CONFLICT (kind, unique_key) WHERE unique_key IS NOT NULL DO NOTHING RETURNING id");
    }

    @Override
    public List<Long> insert(Connection connection, List<JobRequest> jobs) throws SQLException {
        return run(connection, insert, jobs);
    }

    /**
     * A refused row leaves no lock here, so the existing job is read afterwards, and only for a duplicate.
     */
    @Override
    public @Nullable LiveJob insertUnique(Connection connection, JobRequest job, boolean doubt) throws SQLException {
        List<Long> ids = run(connection, insertUnique, List.of(job));
        return ids.isEmpty() ? liveJobs.find(connection, job) : new LiveJob(ids.get(0), LiveJob.Standing.NEW);
    }

    /**
     * Skips a locked row, because an UPDATE that has waited for a claim would find that the job has started, and still keep its row locked
     * until the caller's transaction ends.
     */
    @Override
    public String waitingJob() {
        return "id = (SELECT id FROM pawl_job WHERE id = ? AND state + 0 = 0 FOR UPDATE SKIP LOCKED)";
    }

    private static List<Long> run(Connection connection, String sql, List<JobRequest> jobs) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bindArray(statement, 1, "text", jobs, job -> job.options().queue());
            bindArray(statement, 2, "text", jobs, JobRequest::kind);
            bindArray(statement, 3, "smallint", jobs, job -> job.options().priority());
            bindArray(statement, 4, "smallint", jobs, job -> job.options().maxAttempts());
            bindArray(
                    statement, 5, "bigint", jobs, job -> Micros.of(job.options().delay()));
            bindArray(statement, 6, "bigint", jobs, job -> micros(job.options().availableAt()));
            bindArray(statement, 7, "text", jobs, job -> orEmpty(job.options().uniqueKey()));
            bindArray(
                    statement,
                    8,
                    "text",
                    jobs,
                    job -> orEmpty(JsonStrings.tags(job.options().tags())));
            bindArray(
                    statement,
                    9,
                    "text",
                    jobs,
                    job -> orEmpty(JsonStrings.headers(job.options().headers())));
            bindArray(statement, 10, "text", jobs, JobRequest::payload);
            bindArray(
                    statement,
                    11,
                    "smallint",
                    jobs,
                    job -> OwnOptions.state(job).code());
            return ids(statement, jobs.size());
        }
    }

    static List<Long> ids(PreparedStatement statement, int jobs) throws SQLException {
        List<Long> ids = new ArrayList<>(jobs);
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }

    private static long micros(@Nullable Instant moment) {
        return moment == null ? NO_MOMENT : Micros.of(moment);
    }

    static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
