package dev.pawl.internal.settle;

import dev.pawl.Job;
import dev.pawl.admin.JobStack;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.store.Lease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The rows of {@code pawl_stack}: who wants to see what a run does, and what its worker has told. Workers read them with what they
 * ask about long runs anyway, so who asks first deletes what others have asked for long ago, and there are few.
 */
public final class RunStacks {
    private static final Duration KEPT = Duration.ofHours(1);
    /** To be joined to a statement that has three columns; the third one is null for these. However many are asked for. */
    static final String WANTED = " UNION ALL SELECT job_id, lease_token, NULL FROM (SELECT job_id, lease_token"
            + " FROM pawl_stack WHERE told_at IS NULL ORDER BY asked_at DESC LIMIT 200) wanted";

    private final Dialect dialect;
    private final String forget;
    private final String insert;
    private final String ask;
    private final String tell;
    private final String read;

    /** @param dialect of the database */
    public RunStacks(Dialect dialect) {
        this.dialect = dialect;
        forget = dialect.sql("DELETE FROM pawl_stack WHERE asked_at < " + dialect.nowPlusMicros());
        insert = dialect.sql(dialect.insertIfMissing(
                "pawl_stack (job_id, lease_token, attempt, asked_at) VALUES (?, ?, ?, " + dialect.now() + ")"));
        ask = dialect.sql("UPDATE pawl_stack SET lease_token = ?, attempt = ?, asked_at = " + dialect.now()
                + ", told_at = NULL, stack_text = NULL WHERE job_id = ?");
        tell = dialect.sql("UPDATE pawl_stack SET stack_text = ?, told_at = " + dialect.now()
                + " WHERE job_id = ? AND lease_token = ? AND told_at IS NULL");
        read = dialect.sql("SELECT attempt, asked_at, told_at, stack_text FROM pawl_stack WHERE job_id = ?");
    }

    /** Asks the worker that runs a job; what it told before is forgotten. */
    public void ask(Database database, Job job) throws SQLException {
        int unused = database.transaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(forget)) {
                statement.setLong(1, -Micros.of(KEPT));
                return statement.executeUpdate();
            }
        });
        unused = database.statement(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(insert)) {
                statement.setLong(1, job.id());
                statement.setLong(2, job.leaseToken());
                statement.setInt(3, job.attempt());
                return statement.executeUpdate();
            }
        });
        unused = database.transaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(ask)) {
                statement.setLong(1, job.leaseToken());
                statement.setInt(2, job.attempt());
                statement.setLong(3, job.id());
                return statement.executeUpdate();
            }
        });
    }

    /** Tells what a run does, if somebody still wants to know. */
    public int tell(Connection connection, Lease lease, String stack) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(tell)) {
            statement.setString(1, stack);
            statement.setLong(2, lease.jobId());
            statement.setLong(3, lease.token());
            return statement.executeUpdate();
        }
    }

    /** {@return what was asked last about a job, and what its worker has told} */
    public Optional<JobStack> of(Connection connection, long jobId) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(read)) {
            statement.setLong(1, jobId);
            try (ResultSet row = statement.executeQuery()) {
                return row.next()
                        ? Optional.of(new JobStack(
                                row.getInt("attempt"),
                                Objects.requireNonNull(dialect.moment(row, "asked_at"), "a column that is NOT NULL"),
                                dialect.moment(row, "told_at"),
                                row.getString("stack_text")))
                        : Optional.empty();
            }
        }
    }
}
