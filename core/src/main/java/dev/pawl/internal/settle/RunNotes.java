package dev.pawl.internal.settle;

import dev.pawl.admin.JobAssignment;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.store.Lease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The rows of {@code pawl_assignment}: who does the work of a run. Those who write one hold the job's row under its token. */
public final class RunNotes {
    private final Dialect dialect;
    private final Leases leases;
    private final String whose;
    private final String insert;
    private final String rename;
    private final String begun;
    private final String forget;

    /** @param dialect of the database */
    public RunNotes(Dialect dialect) {
        this.dialect = dialect;
        this.leases = new Leases(dialect);
        whose = dialect.sql("SELECT worker, CASE WHEN assigned_at <= " + dialect.nowPlusMicros()
                + " THEN 1 ELSE 0 END AS overdue" + " FROM pawl_assignment WHERE job_id = ? AND lease_token = ?");
        insert = dialect.sql("INSERT INTO pawl_assignment (job_id, lease_token, attempt, assigned_at, worker)"
                + " SELECT id, lease_token, attempt, " + dialect.now() + ", ? FROM pawl_job WHERE id = ?");
        rename = dialect.sql("UPDATE pawl_assignment SET worker = ?, assigned_at = " + dialect.now()
                + " WHERE job_id = ? AND lease_token = ?");
        begun = dialect.sql("UPDATE pawl_job SET prefetched = ? WHERE id = ?");
        forget = dialect.sql("DELETE FROM pawl_assignment WHERE job_id = ? AND lease_token = ? AND worker = ?");
    }

    /**
     * Who does the work of a run.
     *
     * @param worker its name or address
     * @param overdue whether it has done so for longer than was asked about
     */
    record Note(String worker, boolean overdue) {}

    /**
     * Fenced. A run that is given to another worker, because the first one would not take it, names the last one. Whatever
     * its claim said: from here on the run may have begun.
     *
     * @param connection in a transaction
     * @param lease of the run
     * @param worker who does the work
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
        try (PreparedStatement statement = connection.prepareStatement(whose)) {
            statement.setLong(1, -Micros.of(longest));
            bind(statement, 2, lease);
            try (ResultSet row = statement.executeQuery()) {
                return row.next()
                        ? Optional.of(new Note(row.getString("worker"), row.getInt("overdue") == 1))
                        : Optional.empty();
            }
        }
    }

    /** For a run that has no note yet. */
    void add(Connection connection, Lease lease, String worker) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setString(1, worker);
            statement.setLong(2, lease.jobId());
            statement.executeUpdate();
        }
    }

    boolean forget(Connection connection, Lease lease, String worker) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(forget)) {
            bind(statement, 1, lease);
            statement.setString(3, worker);
            return statement.executeUpdate() == 1;
        }
    }

    private void rename(Connection connection, Lease lease, String worker) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(rename)) {
            statement.setString(1, worker);
            bind(statement, 2, lease);
            statement.executeUpdate();
        }
    }

    private void begun(Connection connection, Lease lease) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(begun)) {
            statement.setBoolean(1, false);
            statement.setLong(2, lease.jobId());
            statement.executeUpdate();
        }
    }

    private static void bind(PreparedStatement statement, int index, Lease lease) throws SQLException {
        statement.setLong(index, lease.jobId());
        statement.setLong(index + 1, lease.token());
    }

    /**
     * @param connection to read on
     * @param jobId of a job
     * @param most how many at most
     * @return who was given its latest runs, the first run first
     * @throws SQLException from the driver
     */
    public List<JobAssignment> of(Connection connection, long jobId, int most) throws SQLException {
        String sql = dialect.sql("SELECT attempt, assigned_at, worker FROM pawl_assignment WHERE job_id = ?"
                + " ORDER BY lease_token DESC LIMIT ?");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, jobId);
            statement.setInt(2, most);
            List<JobAssignment> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(new JobAssignment(
                            rows.getInt("attempt"),
                            Objects.requireNonNull(dialect.moment(rows, "assigned_at"), "a column that is NOT NULL"),
                            rows.getString("worker")));
                }
            }
            Collections.reverse(found);
            return found;
        }
    }
}
