package dev.pawl.internal.cluster;

import dev.pawl.admin.JobAssignment;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.store.Lease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Who does the work of a run. */
public final class Assignments {
    private final Dialect dialect;
    private final String update;
    private final String insert;
    private final String begun;

    public Assignments(Dialect dialect) {
        this.dialect = dialect;
        update = dialect.sql("UPDATE pawl_assignment SET worker = ?, assigned_at = " + dialect.now()
                + " WHERE job_id = ? AND lease_token = ?");
        begun = dialect.sql(
                "UPDATE pawl_job SET prefetched = ? WHERE id = ? AND lease_token = ? AND " + dialect.runs());
        insert = dialect.sql("INSERT INTO pawl_assignment (job_id, lease_token, attempt, assigned_at, worker)"
                + " SELECT id, lease_token, attempt, " + dialect.now() + ", ? FROM pawl_job"
                + " WHERE id = ? AND lease_token = ? AND " + dialect.runs());
    }

    /** Fenced. A run that is given to another worker, because the first one would not take it, names the last one. */
    public boolean assign(Connection connection, Lease lease, String worker) throws SQLException {
        boolean assigned = write(connection, update, lease, worker) || write(connection, insert, lease, worker);
        if (assigned) {
            begun(connection, lease);
        }
        return assigned;
    }

    /** Whatever its claim said: from here on the run may have begun. */
    private void begun(Connection connection, Lease lease) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(begun)) {
            statement.setBoolean(1, false);
            statement.setLong(2, lease.jobId());
            statement.setLong(3, lease.token());
            statement.executeUpdate();
        }
    }

    private static boolean write(Connection connection, String sql, Lease lease, String worker) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, worker);
            statement.setLong(2, lease.jobId());
            statement.setLong(3, lease.token());
            return statement.executeUpdate() == 1;
        }
    }

    public List<JobAssignment> of(Connection connection, long jobId) throws SQLException {
        String sql = dialect.sql(
                "SELECT attempt, assigned_at, worker FROM pawl_assignment WHERE job_id = ? ORDER BY lease_token");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, jobId);
            List<JobAssignment> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(new JobAssignment(
                            rows.getInt("attempt"),
                            Objects.requireNonNull(dialect.moment(rows, "assigned_at"), "a column that is NOT NULL"),
                            rows.getString("worker")));
                }
            }
            return found;
        }
    }
}
