package dev.pawl.internal.store.sql;

import dev.pawl.JobState;
import dev.pawl.Retention;
import dev.pawl.internal.store.FinishedRun;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Verdict;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records how runs ended, for a whole batch in one transaction: lock the rows and check the tokens, append to the
 * history, delete, put back what will be tried again, note the failed attempts. The number of statements does not grow
 * with the number of completed jobs.
 */
final class Finish {
    private final Dialect dialect;
    private final Archive archive;
    private final Retention retention;
    private final String putBack;
    private final String noteAttempt;

    Finish(Dialect dialect, Retention retention) {
        this.dialect = dialect;
        this.archive = new Archive(dialect);
        this.retention = retention;
        putBack = dialect.sql("""
                UPDATE pawl_job
                   SET state = 0, attempt = attempt - ?, available_at = %s, leased_by = NULL, started_at = NULL,
                       lease_expires_at = NULL, progress = NULL
                 WHERE id = ?
                """.formatted(dialect.nowPlusMicros()));
        noteAttempt = dialect.sql("""
                INSERT INTO pawl_attempt (job_id, lease_token, attempt, leased_by, started_at, failed_at, error)
                VALUES (?, ?, ?, ?, %s, %s, ?)
                """.formatted(dialect.moment(), dialect.now()));
    }

    Set<Lease> finish(Connection connection, List<FinishedRun> runs, RunningRow.Which which) throws SQLException {
        List<Long> ids = runs.stream()
                .map(run -> run.lease().jobId())
                .distinct()
                .sorted()
                .toList();
        Map<Lease, RunningRow> rows = RunningRow.lock(connection, dialect, ids, which);
        Batch batch = new Batch();
        for (FinishedRun run : runs) {
            RunningRow row = rows.remove(run.lease()); // a lease ends once, even if it is named twice
            if (row != null) {
                batch.add(row, run.verdict());
            }
        }
        batch.write(connection);
        return batch.accepted;
    }

    private boolean isKept(JobState state) {
        return switch (state) {
            case COMPLETED -> !retention.completed().isZero();
            case CANCELLED -> !retention.cancelled().isZero();
            default -> true;
        };
    }

    private record Ended(long id, JobState state, String reason) {}

    private record PutBack(long id, Duration delay, int refund) {}

    private record Failed(RunningRow row, String error) {}

    /** The accepted runs of one call, sorted by what has to be written. */
    private final class Batch {
        final Set<Lease> accepted = new HashSet<>();
        final List<Long> completed = new ArrayList<>();
        final List<Ended> ended = new ArrayList<>();
        final List<PutBack> putBacks = new ArrayList<>();
        final List<Failed> failures = new ArrayList<>();

        void add(RunningRow row, Verdict verdict) {
            long id = row.lease().jobId();
            accepted.add(row.lease());
            if (verdict instanceof Verdict.Completed) {
                completed.add(id);
            } else if (verdict instanceof Verdict.Retry retry) {
                failures.add(new Failed(row, retry.error()));
                putBackUnlessCancelled(row, retry.delay(), 0);
            } else if (verdict instanceof Verdict.Snooze snooze) {
                putBackUnlessCancelled(row, snooze.delay(), 1);
            } else if (verdict instanceof Verdict.Cancelled cancelled) {
                ended.add(new Ended(id, JobState.CANCELLED, cancelled.reason()));
            } else if (verdict instanceof Verdict.Discarded discarded) {
                failures.add(new Failed(row, discarded.error()));
                ended.add(new Ended(id, JobState.DISCARDED, discarded.reason()));
            }
        }

        private void putBackUnlessCancelled(RunningRow row, Duration delay, int refund) {
            long id = row.lease().jobId();
            if (row.cancelRequested()) {
                ended.add(new Ended(id, JobState.CANCELLED, "cancelled while it was running"));
            } else {
                putBacks.add(new PutBack(id, delay, refund));
            }
        }

        void write(Connection connection) throws SQLException {
            if (!completed.isEmpty() && isKept(JobState.COMPLETED)) {
                archive.append(connection, completed, JobState.COMPLETED, null);
            }
            for (Ended job : ended) {
                if (isKept(job.state)) {
                    archive.append(connection, List.of(job.id), job.state, job.reason);
                }
            }
            List<Long> gone = new ArrayList<>(completed);
            ended.forEach(job -> gone.add(job.id));
            if (!gone.isEmpty()) {
                archive.delete(connection, gone);
            }
            putBack(connection);
            noteFailures(connection);
        }

        private void putBack(Connection connection) throws SQLException {
            if (putBacks.isEmpty()) {
                return;
            }
            try (PreparedStatement statement = connection.prepareStatement(putBack)) {
                for (PutBack job : putBacks) {
                    statement.setInt(1, job.refund);
                    statement.setLong(2, Micros.of(job.delay));
                    statement.setLong(3, job.id);
                    statement.addBatch();
                }
                statement.executeBatch();
            }
        }

        private void noteFailures(Connection connection) throws SQLException {
            if (failures.isEmpty()) {
                return;
            }
            try (PreparedStatement statement = connection.prepareStatement(noteAttempt)) {
                for (Failed failed : failures) {
                    RunningRow row = failed.row;
                    statement.setLong(1, row.lease().jobId());
                    statement.setLong(2, row.lease().token());
                    statement.setInt(3, row.attempt());
                    setLongOrNull(statement, 4, row.leasedBy());
                    dialect.bind(statement, 5, java.util.Objects.requireNonNull(row.startedAt()));
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
