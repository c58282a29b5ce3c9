package dev.pawl.internal.remote;

import dev.pawl.admin.JobAssignment;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.settle.Leases;
import dev.pawl.internal.store.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The rows of {@code pawl_assignment}, which name the worker that does the work of a run. A writer has locked the job's row by its id and
 * lease token, except to remove the worker of a run.
 */
public final class Assignments {
    private final Dialect dialect;
    private final Leases leases;
    private final Sql whose;
    private final Sql insert;
    private final Sql rename;
    private final Sql begun;
    private final Sql forget;

    /** @param dialect of the database */
    public Assignments(Dialect dialect) {
        this.dialect = dialect;
        this.leases = new Leases(dialect);
        whose = dialect.statement("SELECT worker, CASE WHEN assigned_at <= " + dialect.nowPlusMicros()
                + " THEN 1 ELSE 0 END AS overdue" + " FROM pawl_assignment WHERE job_id = ? AND lease_token = ?");
        insert = dialect.statement("INSERT INTO pawl_assignment (job_id, lease_token, attempt, assigned_at, worker)"
                + " SELECT id, lease_token, attempt, " + dialect.now() + ", ? FROM pawl_job WHERE id = ?");
        rename = dialect.statement("UPDATE pawl_assignment SET worker = ?, assigned_at = " + dialect.now()
                + " WHERE job_id = ? AND lease_token = ?");
        begun = dialect.statement("UPDATE pawl_job SET prefetched = ? WHERE id = ?");
        forget = dialect.statement("DELETE FROM pawl_assignment WHERE job_id = ? AND lease_token = ? AND worker = ?");
    }

    /**
     * The worker of a run.
     *
     * @param worker its name or address
     * @param overdue whether it has had the run for longer than the given time
     */
    record Note(String worker, boolean overdue) {}

    /**
     * Records the worker of a run, if the lease is still valid. If a worker refuses the run and another worker gets it, the row of the run
     * names the other worker. After this call the run may have begun, so the job no longer counts as prefetched.
     *
     * @param connection in a transaction
     * @param lease of the run
     * @param worker name of the worker that does the work
     * @return false if the lease is lost; then nothing has changed
     * @throws SQLException from the driver
     */
    public boolean assign(Connection connection, Lease lease, String worker) throws SQLException {
        if (!leases.lock(connection, lease)) {
            return false;
        }
        if (whose(connection, lease, Duration.ZERO).isPresent()) {
            rename(connection, lease, worker);
        } else {
            add(connection, lease, worker);
        }
        begun(connection, lease);
        return true;
    }

    Optional<Note> whose(Connection connection, Lease lease, Duration longest) throws SQLException {
        return whose.on(connection, -Micros.of(longest), lease.jobId(), lease.token())
                .first(row -> new Note(row.getString("worker"), row.getInt("overdue") == 1));
    }

    /** Adds the row of a run that has none yet. */
    void add(Connection connection, Lease lease, String worker) throws SQLException {
        insert.on(connection, worker, lease.jobId()).run();
    }

    boolean forget(Connection connection, Lease lease, String worker) throws SQLException {
        return forget.on(connection, lease.jobId(), lease.token(), worker).update() == 1;
    }

    private void rename(Connection connection, Lease lease, String worker) throws SQLException {
        rename.on(connection, worker, lease.jobId(), lease.token()).run();
    }

    private void begun(Connection connection, Lease lease) throws SQLException {
        begun.on(connection, false, lease.jobId()).run();
    }

    /**
     * @param connection to read on
     * @param jobId of a job
     * @param most maximum number of runs
     * @return the workers of its latest runs, the oldest of these runs first
     * @throws SQLException from the driver
     */
    public List<JobAssignment> of(Connection connection, long jobId, int most) throws SQLException {
        Sql sql = dialect.statement("SELECT attempt, assigned_at, worker FROM pawl_assignment WHERE job_id = ?"
                + " ORDER BY lease_token DESC LIMIT ?");
        List<JobAssignment> found = sql.on(connection, jobId, most)
                .list(rows -> new JobAssignment(
                        rows.getInt("attempt"),
                        Objects.requireNonNull(dialect.moment(rows, "assigned_at"), "a column that is NOT NULL"),
                        rows.getString("worker")));
        Collections.reverse(found);
        return found;
    }
}
