package dev.pawl.internal.store.sql;

import dev.pawl.EnqueueOptions;
import dev.pawl.JobRequest;
import dev.pawl.internal.Json;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The multi-row INSERT of the databases without array parameters. */
public final class JobValues {
    private static final String HEAD = """
            INSERT INTO pawl_job
                (queue, kind, priority, max_attempts, unique_key, tags, payload, created_at, available_at)
            VALUES\s""";

    private final Dialect dialect;

    /**
     * @param dialect the product
     */
    public JobValues(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Runs the filled statement. */
    @FunctionalInterface
    public interface Run<T extends @Nullable Object> {
        /**
         * @param statement filled
         * @return its answer
         * @throws SQLException from the driver
         */
        T run(PreparedStatement statement) throws SQLException;
    }

    /**
     * @param connection to write on
     * @param jobs the rows
     * @param tail what follows the values
     * @param run how to run it
     * @param <T> the answer
     * @return what {@code run} answers
     * @throws SQLException from the driver
     */
    public <T extends @Nullable Object> T insert(Connection connection, List<JobRequest> jobs, String tail, Run<T> run)
            throws SQLException {
        StringBuilder sql = new StringBuilder(HEAD);
        for (int i = 0; i < jobs.size(); i++) {
            boolean at = jobs.get(i).options().availableAt() != null;
            sql.append(i == 0 ? "" : ", ")
                    .append("(?, ?, ?, ?, ?, ?, ?, ")
                    .append(dialect.now())
                    .append(", ")
                    .append(at ? dialect.moment() : dialect.nowPlusMicros())
                    .append(')');
        }
        try (PreparedStatement statement =
                connection.prepareStatement(dialect.sql(sql.append(tail).toString()))) {
            int index = 1;
            for (JobRequest job : jobs) {
                index = bind(statement, index, job);
            }
            return run.run(statement);
        }
    }

    private int bind(PreparedStatement statement, int start, JobRequest job) throws SQLException {
        EnqueueOptions options = job.options();
        int index = start;
        statement.setString(index++, options.queue());
        statement.setString(index++, job.kind());
        statement.setInt(index++, options.priority());
        statement.setInt(index++, options.maxAttempts());
        statement.setString(index++, options.uniqueKey());
        statement.setString(index++, Json.tags(options.tags()));
        statement.setString(index++, job.payload());
        Instant at = options.availableAt();
        if (at != null) {
            dialect.bind(statement, index++, at);
        } else {
            statement.setLong(index++, Micros.of(options.delay()));
        }
        return index;
    }
}
