package dev.pawl.internal.settle;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Rescue;
import dev.pawl.internal.store.Settled;
import dev.pawl.internal.store.Settlement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records the outcomes of many runs in one transaction: locks the rows and checks the tokens, moves finished jobs to
 * the history, makes jobs available for a retry, and records failed attempts. The number of statements does not grow
 * with the number of completed jobs.
 */
public final class Settle {
    private final Dialect dialect;
    private final Archive archive;
    private final PutBack putBack;
    private final KeptStates kept;
    private final CompletionHook completionHook;
    private final String noteAttempt;

    public Settle(Dialect dialect, KeptStates kept, CompletionHook completionHook) {
        this.completionHook = completionHook;
        this.dialect = dialect;
        this.archive = new Archive(dialect);
        this.putBack = new PutBack(dialect);
        this.kept = kept;
        noteAttempt = dialect.sql("""
                INSERT INTO pawl_attempt (job_id, lease_token, attempt, leased_by, started_at, failed_at, error)
                VALUES (?, ?, ?, ?, %s, %s, ?)
                """.formatted(dialect.moment(), dialect.now()));
    }

    /**
     * Settles all runs or none, because the caller rolls back after an error.
     *
     * @return the result; it contains locked leases only for {@link FencedRow.Which#UNLOCKED}
     */
    public Settled settle(Connection connection, List<Settlement> runs, FencedRow.Which which) throws SQLException {
        return settle(connection, runs, which, List.of(), completionHook);
    }

    /**
     * Settles runs after other jobs ended in this transaction. The completion hook is called once for all jobs, so that
     * rows of batches are locked in order.
     */
    Settled settle(
            Connection connection,
            List<Settlement> runs,
            FencedRow.Which which,
            List<FinishedJob> before,
            CompletionHook written)
            throws SQLException {
        List<Lease> leases = runs.stream().map(Settlement::lease).distinct().toList();
        Map<Lease, FencedRow> rows = FencedRow.lock(connection, dialect, leases, which);
        Set<Lease> locked = Set.of();
        if (which == FencedRow.Which.UNLOCKED && rows.size() < leases.size()) {
            List<Lease> missing =
                    leases.stream().filter(lease -> !rows.containsKey(lease)).toList();
            locked = FencedRow.valid(connection, dialect, missing);
        }
        Accepted all = new Accepted();
        all.notable.addAll(before);
        for (Settlement run : runs) {
            FencedRow row = rows.remove(run.lease()); // removed, so that a run that is listed twice is settled once
            if (row != null) {
                all.add(row, Effect.of(run.verdict()), run.result());
            }
        }
        all.write(connection, written);
        return new Settled(all.accepted, locked);
    }

    /**
     * Ends runs whose lease has expired; all or none, like {@link #settle}.
     *
     * @return the leases that were ended
     * @throws HookBusy instead of waiting for a lock that a hook needs
     */
    public Set<Lease> rescue(Connection connection, List<Rescue> runs) throws SQLException {
        List<Lease> leases = runs.stream().map(Rescue::lease).distinct().toList();
        Map<Lease, FencedRow> rows = FencedRow.lock(connection, dialect, leases, FencedRow.Which.EXPIRED);
        Accepted all = new Accepted();
        for (Rescue run : runs) {
            FencedRow row = rows.remove(run.lease());
            // If the lease was renewed and has expired again, the run may have begun since the verdict.
            if (row != null && run.expiredAt().equals(row.expiresAt())) {
                all.add(row, Effect.of(run.verdict()), null);
            }
        }
        all.write(connection, completionHook.withoutWaiting());
        return all.accepted;
    }

    private record Ended(long id, JobState state, @Nullable String reason) {}

    private record Failed(FencedRow row, String error) {}

    /** The accepted runs of one call, grouped by what must be written. */
    private final class Accepted {
        final Set<Lease> accepted = new HashSet<>();
        final List<Long> completed = new ArrayList<>();
        final List<Ended> ended = new ArrayList<>();
        final List<PutBack.Later> later = new ArrayList<>();
        final List<Long> unstarted = new ArrayList<>();
        final List<Long> paused = new ArrayList<>();
        final List<Failed> failures = new ArrayList<>();
        final List<FinishedJob> notable = new ArrayList<>();

        void add(FencedRow row, Effect effect, @Nullable String result) {
            long id = row.lease().jobId();
            accepted.add(row.lease());
            if (effect.error() != null) {
                failures.add(new Failed(row, effect.error()));
            }
            if (effect.state() == JobState.COMPLETED) {
                completed.add(id);
                note(row, JobState.COMPLETED, result);
            } else if (effect.state().isFinished()) {
                ended.add(new Ended(id, effect.state(), effect.reason()));
                note(row, effect.state(), null);
            } else if (row.cancelRequested()) {
                ended.add(new Ended(id, JobState.CANCELLED, effect.ifCancelled()));
                note(row, JobState.CANCELLED, null);
            } else if (effect.delay() != null) {
                later.add(new PutBack.Later(id, effect.delay(), effect.refund()));
            } else {
                (effect.state() == JobState.PAUSED ? paused : unstarted).add(id);
            }
        }

        private void note(FencedRow row, JobState state, @Nullable String result) {
            FinishedJob job =
                    new FinishedJob(row.lease().jobId(), row.lease().token(), state, result, row.batch(), false);
            if (!job.isPlain()) {
                notable.add(job);
            }
        }

        void write(Connection connection, CompletionHook written) throws SQLException {
            if (!completed.isEmpty() && kept.keeps(connection, JobState.COMPLETED)) {
                archive.append(connection, completed, JobState.COMPLETED, null);
            }
            for (Ended job : ended) {
                if (kept.keeps(connection, job.state)) {
                    archive.append(connection, List.of(job.id), job.state, job.reason);
                }
            }
            List<Long> finished = new ArrayList<>(completed);
            ended.forEach(job -> finished.add(job.id));
            if (!finished.isEmpty()) {
                archive.delete(connection, finished);
            }
            putBack.later(connection, later);
            putBack.unstarted(connection, unstarted, JobState.AVAILABLE);
            putBack.unstarted(connection, paused, JobState.PAUSED);
            noteFailures(connection);
            if (!notable.isEmpty()) {
                written.afterCompletion(connection, notable);
            }
        }

        private void noteFailures(Connection connection) throws SQLException {
            if (failures.isEmpty()) {
                return;
            }
            try (PreparedStatement statement = connection.prepareStatement(noteAttempt)) {
                for (Failed failed : failures) {
                    FencedRow row = failed.row;
                    statement.setLong(1, row.lease().jobId());
                    statement.setLong(2, row.lease().token());
                    statement.setInt(3, row.attempt());
                    setLongOrNull(statement, 4, row.leasedBy());
                    dialect.bind(statement, 5, Objects.requireNonNull(row.startedAt()));
                    statement.setString(6, failed.error);
                    statement.addBatch();
                }
                statement.executeBatch();
            }
        }
    }

    private static void setLongOrNull(PreparedStatement statement, int index, @Nullable Long value)
            throws SQLException {
        if (value == null) {
            statement.setNull(index, Types.BIGINT);
        } else {
            statement.setLong(index, value);
        }
    }
}
