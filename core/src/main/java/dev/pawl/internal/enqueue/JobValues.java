package dev.pawl.internal.enqueue;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The INSERT of many rows for databases without array parameters. */
public final class JobValues {
    private static final String HEAD = """
            INSERT INTO pawl_job
                (%squeue, kind, priority, max_attempts, unique_key, tags, headers, payload, state, created_at, available_at%s)
            VALUES\s""";

    private final Dialect dialect;

    /**
     * @param dialect the product
     */
    public JobValues(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Runs the statement with all values bound. */
    @FunctionalInterface
    public interface Run<T extends @Nullable Object> {
        /**
         * @param statement with all values bound
         * @return its result
         * @throws SQLException from the driver
         */
        T run(PreparedStatement statement) throws SQLException;
    }

    /**
     * @param connection to write on
     * @param jobs the rows
     * @param tail SQL after the values
     * @param run runs the statement
     * @param <T> the result
     * @return what {@code run} returns
     * @throws SQLException from the driver
     */
    public <T extends @Nullable Object> T insert(Connection connection, List<JobRequest> jobs, String tail, Run<T> run)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql(jobs, tail, false))) {
            boolean more = JobColumns.any(jobs);
            int index = 1;
            for (JobRequest job : jobs) {
                index = bind(statement, index, job, more);
            }
            return run.run(statement);
        }
    }

    /**
     * @param connection to write on
     * @param jobs the rows
     * @param ids of the rows, one for each
     * @throws SQLException from the driver
     */
    public void insert(Connection connection, List<JobRequest> jobs, List<Long> ids) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql(jobs, "", true))) {
            boolean more = JobColumns.any(jobs);
            int index = 1;
            for (int i = 0; i < jobs.size(); i++) {
                statement.setLong(index++, ids.get(i));
                index = bind(statement, index, jobs.get(i), more);
            }
            statement.executeUpdate();
        }
    }

    private String sql(List<JobRequest> jobs, String tail, boolean withIds) {
        boolean more = JobColumns.any(jobs);
        StringBuilder sql = new StringBuilder(
                HEAD.formatted(withIds ? "id, " : "", more ? JobColumns.OF_ROWS + JobColumns.SHARED : ""));
        for (int i = 0; i < jobs.size(); i++) {
            EnqueueOptions options = jobs.get(i).options();
            sql.append(i == 0 ? "" : ", ")
                    .append(withIds ? "(?, " : "(")
                    .append("?, ?, ?, ?, ?, ?, ?, ?, ?, ")
                    .append(dialect.now())
                    .append(", ")
                    .append(options.availableAt() != null ? dialect.moment() : dialect.nowPlusMicros())
                    .append(more ? ", ?, ?, ?, ?, " + JobColumns.expiry(dialect, options) : "")
                    .append(')');
        }
        return dialect.sql(sql.append(tail).toString());
    }

    private int bind(PreparedStatement statement, int start, JobRequest job, boolean more) throws SQLException {
        EnqueueOptions options = job.options();
        int index = start;
        statement.setString(index++, options.queue());
        statement.setString(index++, job.kind());
        statement.setInt(index++, options.priority());
        statement.setInt(index++, options.maxAttempts());
        statement.setString(index++, options.uniqueKey());
        statement.setString(index++, JsonStrings.tags(options.tags()));
        statement.setString(index++, JsonStrings.headers(options.headers()));
        statement.setString(index++, job.payload());
        statement.setInt(index++, OwnOptions.state(job).code());
        Instant at = options.availableAt();
        if (at != null) {
            dialect.bind(statement, index++, at);
        } else {
            statement.setLong(index++, Micros.of(options.delay()));
        }
        return more ? bindMore(statement, index, options) : index;
    }

    private int bindMore(PreparedStatement statement, int start, EnqueueOptions options) throws SQLException {
        int index = JobColumns.bindOfRows(statement, start, options);
        index = JobColumns.bindShared(statement, index, options);
        return JobColumns.bindExpiry(dialect, statement, index, options);
    }
}
