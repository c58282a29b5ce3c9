package dev.pawl.internal.store.sql;

import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.Held;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Renewal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The life of leases between claim and finish: lock, renew, release, and the look for expired ones. */
final class Leases {
    private final Dialect dialect;
    private final String lock;
    private final String writeProgress;
    private final String release;
    private final String abandoned;

    Leases(Dialect dialect) {
        this.dialect = dialect;
        lock = dialect.sql("SELECT 1 FROM pawl_job WHERE id = ? AND lease_token = ? AND " + dialect.runs() + " "
                + dialect.forUpdate());
        writeProgress = dialect.sql("UPDATE pawl_job SET progress = ? WHERE id = ?");
        release = dialect.sql("""
                UPDATE pawl_job
                   SET state = 0, attempt = attempt - 1, leased_by = NULL, started_at = NULL, lease_expires_at = NULL,
                       progress = NULL
                 WHERE id = ? AND lease_token = ? AND %s AND NOT cancel_requested
                """.formatted(dialect.runs()));
        abandoned = dialect.sql("""
                SELECT j.id, j.lease_token, j.kind, j.attempt, j.max_attempts, j.leased_by, w.name
                  FROM pawl_job j LEFT JOIN pawl_worker w ON w.id = j.leased_by
                 WHERE j.state = 1 AND j.lease_expires_at <= %s
                 ORDER BY j.lease_expires_at LIMIT ?
                """.formatted(dialect.now()));
    }

    boolean lock(Connection connection, Lease lease) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(lock)) {
            statement.setLong(1, lease.jobId());
            statement.setLong(2, lease.token());
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next();
            }
        }
    }

    Renewal renew(Connection connection, Collection<Held> held, Duration duration) throws SQLException {
        Map<Lease, RunningRow> found = RunningRow.lock(connection, dialect, ids(held), RunningRow.Which.UNLOCKED);
        Set<Lease> renewed = new HashSet<>();
        Set<Lease> cancelRequested = new HashSet<>();
        List<Lease> missing = new ArrayList<>();
        for (Held one : held) {
            RunningRow row = found.get(one.lease());
            if (row == null) {
                missing.add(one.lease());
                continue;
            }
            renewed.add(one.lease());
            if (row.cancelRequested()) {
                cancelRequested.add(one.lease());
            }
        }
        extend(connection, renewed, duration);
        writeProgress(connection, held, renewed);
        return new Renewal(renewed, lost(connection, missing), cancelRequested);
    }

    private void extend(Connection connection, Set<Lease> leases, Duration duration) throws SQLException {
        if (leases.isEmpty()) {
            return;
        }
        List<Long> ids = leases.stream().map(Lease::jobId).sorted().toList();
        String sql = dialect.sql("UPDATE " + dialect.jobsById() + " SET lease_expires_at = " + dialect.nowPlusMicros()
                + " WHERE " + dialect.anyOf("id", ids.size()));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, Micros.of(duration));
            dialect.bindIds(statement, 2, ids);
            statement.executeUpdate();
        }
    }

    private void writeProgress(Connection connection, Collection<Held> held, Set<Lease> renewed) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(writeProgress)) {
            boolean any = false;
            for (Held one : held) {
                Integer progress = one.progress();
                if (progress != null && renewed.contains(one.lease())) {
                    statement.setInt(1, progress);
                    statement.setLong(2, one.lease().jobId());
                    statement.addBatch();
                    any = true;
                }
            }
            if (any) {
                statement.executeBatch();
            }
        }
    }

    /** A row that was passed by because somebody has it locked still shows our token to a plain read. */
    private Set<Lease> lost(Connection connection, List<Lease> missing) throws SQLException {
        Set<Lease> lost = new HashSet<>(missing);
        if (missing.isEmpty()) {
            return lost;
        }
        List<Long> ids = missing.stream().map(Lease::jobId).sorted().toList();
        String sql = dialect.sql("SELECT id, lease_token FROM " + dialect.jobsById() + " WHERE " + dialect.runs()
                + " AND " + dialect.anyOf("id", ids.size()));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            dialect.bindIds(statement, 1, ids);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    lost.remove(new Lease(rows.getLong(1), rows.getLong(2)));
                }
            }
        }
        return lost;
    }

    int release(Connection connection, Collection<Lease> leases) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(release)) {
            for (Lease lease : leases.stream().sorted().toList()) {
                statement.setLong(1, lease.jobId());
                statement.setLong(2, lease.token());
                statement.addBatch();
            }
            int released = 0;
            for (int count : statement.executeBatch()) {
                released += Math.max(count, 0);
            }
            return released;
        }
    }

    List<AbandonedJob> abandoned(Connection connection, int limit) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(abandoned)) {
            statement.setInt(1, limit);
            List<AbandonedJob> jobs = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    jobs.add(new AbandonedJob(
                            new Lease(rows.getLong("id"), rows.getLong("lease_token")),
                            rows.getString("kind"),
                            rows.getInt("attempt"),
                            rows.getInt("max_attempts"),
                            rows.getLong("leased_by"),
                            rows.getString("name")));
                }
            }
            return jobs;
        }
    }

    private static List<Long> ids(Collection<Held> held) {
        return held.stream().map(one -> one.lease().jobId()).sorted().toList();
    }
}
