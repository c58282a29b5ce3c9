package dev.pawl.internal.database.sqlite;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.internal.enqueue.JobColumns;
import dev.pawl.internal.enqueue.JobValues;
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
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Writes jobs row by row in the caller's transaction. */
final class SqliteEnqueue implements InsertJobs {
    private final JobValues values;
    private final LiveJobs liveJobs;
    private final SqliteInsert insert;
    private final String clock;

    SqliteEnqueue(Dialect dialect) {
        this.values = new JobValues(dialect);
        this.liveJobs = new LiveJobs(dialect);
        insert = new SqliteInsert(
                dialect,
                "pawl_job",
                "queue, kind, priority, max_attempts, payload, created_at, available_at, state",
                JobColumns.OF_ROWS + JobColumns.SHARED);
        clock = "SELECT " + dialect.now();
    }

    /**
     * SQLite runs in this process, so executing one prepared row many times beats parsing one long statement. The ids
     * are consecutive because this transaction holds the only write lock; if each row were a transaction of its own,
     * they might not be.
     */
    @Override
    public List<Long> insert(Connection connection, List<JobRequest> jobs) throws SQLException {
        if (connection.getAutoCommit() || jobs.size() == 1) {
            List<Long> ids = values.insert(connection, jobs, " RETURNING id", SqliteEnqueue::ids);
            Collections.sort(ids); // rows get ascending ids in the order of VALUES, but may be returned in any order
            return ids;
        }
        long now = longOf(connection, clock);
        boolean texts = JobColumns.anyTexts(jobs);
        boolean more = JobColumns.any(jobs);
        try (PreparedStatement statement = connection.prepareStatement(insert.sql(texts, more))) {
            for (JobRequest job : jobs) {
                bind(statement, job, now);
                int index = texts ? JobColumns.bindTexts(statement, 9, job.options()) : 9;
                if (more) {
                    bindShared(statement, JobColumns.bindOfRows(statement, index, job.options()), job.options(), now);
                }
                statement.addBatch();
            }
            statement.executeBatch();
        }
        long last = longOf(connection, "SELECT last_insert_rowid()");
        return LongStream.rangeClosed(last - jobs.size() + 1, last).boxed().toList();
    }

    private static void bind(PreparedStatement statement, JobRequest job, long now) throws SQLException {
        EnqueueOptions options = job.options();
        Instant at = options.availableAt();
        statement.setString(1, options.queue());
        statement.setString(2, job.kind());
        statement.setInt(3, options.priority());
        statement.setInt(4, options.maxAttempts());
        statement.setString(5, job.payload());
        statement.setLong(6, now);
        statement.setLong(7, at == null ? now + Micros.of(options.delay()) : Micros.of(at));
        statement.setInt(8, OwnOptions.state(job).code());
    }

    static void bindShared(PreparedStatement statement, int index, EnqueueOptions options, long now)
            throws SQLException {
        int expiry = JobColumns.bindShared(statement, index, options);
        Instant at = options.expiresAt();
        Long after = JobColumns.expiresIn(options);
        JobColumns.bind(
                statement, expiry, at != null ? (Long) Micros.of(at) : after != null ? (Long) (now + after) : null);
    }

    static long longOf(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public @Nullable LiveJob insertUnique(Connection connection, JobRequest job, boolean staleRead)
            throws SQLException {
        List<Long> ids = values.insert(
                connection,
                List.of(job),
                " ON CONFLICT (kind, unique_key) WHERE unique_key IS NOT NULL DO NOTHING RETURNING id",
                SqliteEnqueue::ids);
        return ids.isEmpty() ? liveJobs.find(connection, job) : LiveJob.written(ids.get(0));
    }

    private static List<Long> ids(PreparedStatement statement) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }
}
