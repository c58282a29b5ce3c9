package dev.pawl.internal.enqueue;

import dev.pawl.EnqueueOptions;
import dev.pawl.JobRequest;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
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
         * @return its result
         * @throws SQLException from the driver
         */
        T run(PreparedStatement statement) throws SQLException;
    }

    /**
     * @param connection to write on
     * @param jobs the rows
     * @param tail what follows the values
     * @param run how to run it
     * @param <T> the result
     * @return what {@code run} returns
     * @throws SQLException from the driver
     */
    public <T extends @Nullable Object> T insert(Connection connection, List<JobRequest> jobs, String tail, Run<T> run)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql(jobs, tail))) {
            return run(statement, jobs, run);
        }
    }

    /**
     * @param connection to write on
     * @param job the row
     * @return the id that the database has given it
     * @throws SQLException from the driver
     */
    public long insertOne(Connection connection, JobRequest job) throws SQLException {
        List<JobRequest> jobs = List.of(job);
        try (PreparedStatement statement =
                connection.prepareStatement(sql(jobs, ""), Statement.RETURN_GENERATED_KEYS)) {
            return run(statement, jobs, filled -> {
                filled.executeUpdate();
                try (ResultSet keys = filled.getGeneratedKeys()) {
                    keys.next();
                    return keys.getLong(1);
                }
            });
        }
    }

    private String sql(List<JobRequest> jobs, String tail) {
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
        return dialect.sql(sql.append(tail).toString());
    }

    private <T extends @Nullable Object> T run(PreparedStatement statement, List<JobRequest> jobs, Run<T> run)
            throws SQLException {
        int index = 1;
        for (JobRequest job : jobs) {
            index = bind(statement, index, job);
        }
        return run.run(statement);
    }

    private int bind(PreparedStatement statement, int start, JobRequest job) throws SQLException {
        EnqueueOptions options = job.options();
        int index = start;
        statement.setString(index++, options.queue());
        statement.setString(index++, job.kind());
        statement.setInt(index++, options.priority());
        statement.setInt(index++, options.maxAttempts());
        statement.setString(index++, options.uniqueKey());
        statement.setString(index++, JsonStrings.tags(options.tags()));
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
