package dev.pawl.internal.settle;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LeaseRenewal;
import dev.pawl.internal.store.Renewal;
import dev.pawl.internal.store.RunRequests;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** Locks, renews and releases leases between claim and settlement. */
public final class Leases {
    private final Dialect dialect;
    private final PutBack putBack;
    private final Sql lock;
    private final Sql tryLock;
    private final String writeProgress;

    public Leases(Dialect dialect) {
        this.dialect = dialect;
        this.putBack = new PutBack(dialect);
        String one = "SELECT 1 FROM pawl_job WHERE id = ? AND lease_token = ? AND " + dialect.runs() + " AND "
                + dialect.keepsPlan() + " ";
        lock = dialect.statement(one + dialect.forUpdate());
        tryLock = dialect.statement(one + dialect.skipLocked());
        writeProgress = dialect.sql("UPDATE pawl_job SET progress = ? WHERE id = ?");
    }

    /**
     * Locks the row of a job until the transaction ends; false if the lease is lost.
     *
     * <p>InnoDB locks a row before it compares the token, so a lost lease would wait for the transaction of the new
     * owner. Therefore a locked row is skipped at first. The caller waits for it only if a plain read still shows our
     * token.
     */
    public boolean lock(Connection connection, Lease lease) throws SQLException {
        return (dialect.skipsLockedRows() && locks(tryLock, connection, lease))
                || (!FencedRow.valid(connection, dialect, List.of(lease)).isEmpty() && locks(lock, connection, lease));
    }

    private boolean locks(Sql one, Connection connection, Lease lease) throws SQLException {
        return one.on(connection, lease.jobId(), lease.token(), dialect.planAge())
                .exists();
    }

    /** Locks the rows of several jobs, in the order of their ids. Does not wait for rows of jobs that were claimed again since. */
    Set<Lease> lock(Connection connection, Collection<Lease> held) throws SQLException {
        Set<Lease> valid = FencedRow.valid(connection, dialect, held);
        return FencedRow.lock(connection, dialect, valid, FencedRow.Which.ALL).keySet();
    }

    /** {@return the leases of jobs whose cancellation was requested} */
    Set<Lease> cancelRequested(Connection connection, Collection<Lease> running) throws SQLException {
        return runRequests(connection, running, "").toStop();
    }

    /** {@return the runs to cancel, and the runs whose stack trace is requested} */
    RunRequests runRequests(Connection connection, Collection<Lease> running) throws SQLException {
        return runRequests(connection, running, RunStacks.WANTED);
    }

    private RunRequests runRequests(Connection connection, Collection<Lease> running, String more) throws SQLException {
        List<Long> ids = running.stream().map(Lease::jobId).toList();
        Set<Lease> cancelled = new HashSet<>();
        Set<Lease> stacks = new HashSet<>();
        String sql = "SELECT id, lease_token, cancel_requested FROM " + dialect.jobsById() + " WHERE "
                + dialect.anyOf("id", ids.size()) + more;
        dialect.planned(sql).on(connection, ids).each(rows -> {
            Lease lease = new Lease(rows.getLong(1), rows.getLong(2));
            boolean isCancelled = rows.getBoolean(3);
            if (rows.wasNull()) {
                stacks.add(lease);
            } else if (isCancelled && running.contains(lease)) {
                cancelled.add(lease);
            }
        });
        return new RunRequests(cancelled, stacks);
    }

    public Renewal renew(Connection connection, Collection<LeaseRenewal> held, Duration duration) throws SQLException {
        Map<Lease, FencedRow> found = FencedRow.lock(
                connection, dialect, held.stream().map(LeaseRenewal::lease).toList(), FencedRow.Which.UNLOCKED);
        Set<Lease> renewed = new HashSet<>();
        Set<Lease> cancelRequested = new HashSet<>();
        List<Lease> missing = new ArrayList<>();
        for (LeaseRenewal one : held) {
            FencedRow row = found.get(one.lease());
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
        Set<Lease> taken = new HashSet<>();
        Set<Lease> lost = new HashSet<>(missing);
        checkMissing(connection, missing, taken, lost);
        return new Renewal(renewed, taken, lost, cancelRequested);
    }

    private void extend(Connection connection, Set<Lease> leases, Duration duration) throws SQLException {
        if (leases.isEmpty()) {
            return;
        }
        List<Long> ids = leases.stream().map(Lease::jobId).sorted().toList();
        // A renewal never shortens a lease, because a run that was handed off to a remote worker may have a longer
        // lease.
        String later = dialect.nowPlusMicros();
        Sql sql = dialect.planned(
                "UPDATE " + dialect.jobsById() + " SET lease_expires_at = CASE WHEN lease_expires_at > " + later
                        + " THEN lease_expires_at ELSE " + later + " END WHERE " + dialect.anyOf("id", ids.size()));
        sql.on(connection, Micros.of(duration), Micros.of(duration), ids).run();
    }

    private void writeProgress(Connection connection, Collection<LeaseRenewal> held, Set<Lease> renewed)
            throws SQLException {
        try (PreparedStatement statement = dialect.planned(connection, writeProgress)) {
            boolean any = false;
            for (LeaseRenewal one : held) {
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

    /**
     * Checks the rows that could not be locked. If a plain read still shows a running job with our token, another transaction has locked
     * the row, and our lease is valid. A newer token shows that the job was claimed again, and our lease is lost.
     */
    private void checkMissing(Connection connection, List<Lease> missing, Set<Lease> taken, Set<Lease> lost)
            throws SQLException {
        if (missing.isEmpty()) {
            return;
        }
        Map<Long, List<Lease>> byJob = missing.stream().collect(Collectors.groupingBy(Lease::jobId));
        List<Long> ids = byJob.keySet().stream().sorted().toList();
        Sql sql = dialect.planned("SELECT id, lease_token, state FROM " + dialect.jobsById() + " WHERE "
                + dialect.anyOf("id", ids.size()));
        sql.on(connection, ids).each(rows -> {
            for (Lease ours : Objects.requireNonNull(byJob.get(rows.getLong(1)))) {
                if (rows.getLong(2) != ours.token()) {
                    lost.remove(ours);
                    taken.add(ours);
                } else if (rows.getInt(3) == JobState.RUNNING.code()) {
                    lost.remove(ours);
                }
            }
        });
    }

    /** {@return the released leases} Locked rows are skipped. */
    public Set<Lease> release(Connection connection, Collection<Lease> leases) throws SQLException {
        Set<Lease> released = FencedRow.lock(connection, dialect, leases, FencedRow.Which.UNLOCKED).values().stream()
                .filter(row -> !row.cancelRequested())
                .map(FencedRow::lease)
                .collect(Collectors.toSet());
        putBack.unstarted(
                connection, released.stream().map(Lease::jobId).sorted().toList(), JobState.AVAILABLE);
        return released;
    }
}
