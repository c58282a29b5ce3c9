package dev.pawl.internal.database.postgres;

import static dev.pawl.internal.database.postgres.PostgresDialect.bindArray;

import dev.pawl.api.JobRequest;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.enqueue.JobColumns;
import dev.pawl.internal.enqueue.LiveJobs;
import dev.pawl.internal.enqueue.OwnOptions;
import dev.pawl.internal.feature.InsertJobs;
import dev.pawl.internal.feature.LiveJob;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes many jobs in one statement. */
final class PostgresEnqueue implements InsertJobs {
    /** Stands for a missing moment in an array, which contains no NULL. An empty text stands for a missing text. */
    private static final long NO_MOMENT = -(1L << 62);

    private static final String ROWS = """
            INSERT INTO pawl_job
                (queue, kind, priority, max_attempts, state, available_at, created_at, unique_key, tags, headers, payload%1$s)
            SELECT r.queue, r.kind, r.priority, r.max_attempts, r.state,
                   CASE WHEN r.at_micros = NO_MOMENT
                        THEN statement_timestamp() + r.delay_micros * interval '1 microsecond'
                        ELSE timestamptz 'epoch' + r.at_micros * interval '1 microsecond' END,
                   statement_timestamp(), NULLIF(r.unique_key, ''), NULLIF(r.tags, ''), NULLIF(r.headers, ''), r.payload%2$s
              FROM unnest(?::text[], ?::text[], ?::smallint[], ?::smallint[], ?::bigint[], ?::bigint[],
                          ?::text[], ?::text[], ?::text[], ?::text[], ?::smallint[]%3$s)
                   WITH ORDINALITY AS r (queue, kind, priority, max_attempts, delay_micros, at_micros,
                                         unique_key, tags, headers, payload, state%4$s, place)
             ORDER BY r.place
            """;

    private static final String UNLESS_TAKEN =
            "ON CONFLICT (kind, unique_key) WHERE unique_key IS NOT NULL DO NOTHING ";

    /** Expressions for the columns {@link JobColumns#SHARED} over the arrays {@link #SHARED_ARRAYS}, named {@link #SHARED_NAMES}. */
    static final String SHARED = """
            , NULLIF(r.batch_id, 0), NULLIF(r.cost, 1),
                   CASE WHEN r.expires_micros <> NO_MOMENT THEN timestamptz 'epoch' + r.expires_micros * interval '1 microsecond'
                        ELSE statement_timestamp() + NULLIF(r.expires_after, 0) * interval '1 microsecond' END""";

    static final String SHARED_ARRAYS = ", ?::bigint[], ?::int[], ?::bigint[], ?::bigint[]";
    static final String SHARED_NAMES = ", batch_id, cost, expires_micros, expires_after";

    private final LiveJobs liveJobs;
    private final Statements plain;
    private final Statements withColumns;

    /**
     * The statements for jobs without or with the {@link JobColumns}.
     *
     * @param hasJobColumns whether they write these columns
     */
    private record Statements(boolean hasJobColumns, String insert, String insertUnique) {}

    PostgresEnqueue(Dialect dialect) {
        liveJobs = new LiveJobs(dialect);
        plain = new Statements(
                false,
                sql(dialect, ROWS + "RETURNING id", "", "", "", ""),
                sql(dialect, ROWS + UNLESS_TAKEN + "RETURNING id", "", "", "", ""));
        String[] ofRows = {
            JobColumns.OF_ROWS + JobColumns.SHARED,
            ", NULLIF(r.job_key, ''), NULLIF(r.unindexed_key, '')" + SHARED,
            ", ?::text[], ?::text[]" + SHARED_ARRAYS,
            ", job_key, unindexed_key" + SHARED_NAMES
        };
        withColumns = new Statements(
                true,
                sql(dialect, ROWS + "RETURNING id", ofRows),
                sql(dialect, ROWS + UNLESS_TAKEN + "RETURNING id", ofRows));
    }

    /** {@return a statement, with its parts and the number for a missing moment inserted} */
    static String sql(Dialect dialect, String text, String... parts) {
        return dialect.sql(text.formatted((Object[]) parts).replace("NO_MOMENT", Long.toString(NO_MOMENT)));
    }

    private Statements statements(List<JobRequest> jobs) {
        return JobColumns.any(jobs) ? withColumns : plain;
    }

    @Override
    public List<Long> insert(Connection connection, List<JobRequest> jobs) throws SQLException {
        return run(connection, statements(jobs), false, jobs);
    }

    /**
     * On PostgreSQL, ON CONFLICT DO NOTHING leaves no lock. So the job is inserted first, and an existing job is read only after a
     * conflict.
     */
    @Override
    public @Nullable LiveJob insertUnique(Connection connection, JobRequest job, boolean staleRead)
            throws SQLException {
        List<Long> ids = run(connection, statements(List.of(job)), true, List.of(job));
        return ids.isEmpty() ? liveJobs.find(connection, job) : LiveJob.written(ids.get(0));
    }

    /**
     * Skips a locked row, because an UPDATE that has waited for a claim would find that the job has started, and still keep its row locked
     * until the caller's transaction ends.
     */
    @Override
    public String waitingJob() {
        return "id = (SELECT id FROM pawl_job WHERE id = ? AND state + 0 = 0 FOR UPDATE SKIP LOCKED)";
    }

    private static List<Long> run(Connection connection, Statements statements, boolean isUnique, List<JobRequest> jobs)
            throws SQLException {
        String sql = isUnique ? statements.insertUnique : statements.insert;
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
            if (statements.hasJobColumns) {
                bindArray(
                        statement,
                        12,
                        "text",
                        jobs,
                        job -> orEmpty(job.options().key()));
                bindArray(statement, 13, "text", jobs, job -> orEmpty(OwnOptions.unindexedKey(job.options())));
                int unused = bindShared(statement, 14, jobs);
            }
            return ids(statement, jobs.size());
        }
    }

    /** {@return the next index} */
    static int bindShared(PreparedStatement statement, int index, List<JobRequest> jobs) throws SQLException {
        bindArray(statement, index, "bigint", jobs, job -> OwnOptions.batch(job.options()));
        bindArray(statement, index + 1, "int", jobs, job -> job.options().cost());
        bindArray(
                statement,
                index + 2,
                "bigint",
                jobs,
                job -> micros(job.options().expiresAt()));
        bindArray(
                statement,
                index + 3,
                "bigint",
                jobs,
                job -> Objects.requireNonNullElse(JobColumns.expiresIn(job.options()), 0L));
        return index + 4;
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
