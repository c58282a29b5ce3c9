package dev.pawl.internal.settle;

import dev.pawl.admin.JobStack;
import dev.pawl.api.Job;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.store.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The rows of {@code pawl_stack}: requests for the stack trace of a run, and the reports of workers. Workers read all requests together
 * with the cancellations of long runs. There are few requests, because each new request first deletes all that are older than an hour.
 */
public final class RunStacks {
    private static final Duration KEPT = Duration.ofHours(1);
    /**
     * Appended to a query with three columns. Adds a bounded number of requests to its result; the third column of a request is null.
     */
    static final String WANTED = " UNION ALL SELECT job_id, lease_token, NULL FROM (SELECT job_id, lease_token"
            + " FROM pawl_stack WHERE reported_at IS NULL ORDER BY requested_at DESC LIMIT 200) wanted";

    private final Dialect dialect;
    private final Sql forget;
    private final Sql insert;
    private final Sql request;
    private final Sql report;
    private final Sql read;

    /** @param dialect of the database */
    public RunStacks(Dialect dialect) {
        this.dialect = dialect;
        forget = dialect.statement("DELETE FROM pawl_stack WHERE requested_at < " + dialect.nowPlusMicros());
        insert = dialect.statement(dialect.insertIfMissing(
                "pawl_stack (job_id, lease_token, attempt, requested_at) VALUES (?, ?, ?, " + dialect.now() + ")"));
        request = dialect.statement("UPDATE pawl_stack SET lease_token = ?, attempt = ?, requested_at = "
                + dialect.now() + ", reported_at = NULL, stack_text = NULL WHERE job_id = ?");
        report = dialect.statement("UPDATE pawl_stack SET stack_text = ?, reported_at = " + dialect.now()
                + " WHERE job_id = ? AND lease_token = ? AND reported_at IS NULL");
        read = dialect.statement(
                "SELECT attempt, requested_at, reported_at, stack_text FROM pawl_stack WHERE job_id = ?");
    }

    /** Requests the stack trace of a running job from its worker; an earlier report is deleted. */
    public void request(Database database, Job job) throws SQLException {
        int unused = database.transaction(
                connection -> forget.on(connection, -Micros.of(KEPT)).update());
        unused = database.statement(connection ->
                insert.on(connection, job.id(), job.leaseToken(), job.attempt()).update());
        unused = database.transaction(connection -> request.on(connection, job.leaseToken(), job.attempt(), job.id())
                .update());
    }

    /** Reports the stack trace of a run, if it is still requested. */
    public int report(Connection connection, Lease lease, String stack) throws SQLException {
        return report.on(connection, stack, lease.jobId(), lease.token()).update();
    }

    /** {@return the last request for a job, and the report of its worker} */
    public Optional<JobStack> of(Connection connection, long jobId) throws SQLException {
        return read.on(connection, jobId)
                .first(row -> new JobStack(
                        row.getInt("attempt"),
                        Objects.requireNonNull(dialect.moment(row, "requested_at"), "a column that is NOT NULL"),
                        dialect.moment(row, "reported_at"),
                        row.getString("stack_text")));
    }
}
