package dev.pawl.internal.remote;

import dev.pawl.api.Job;
import dev.pawl.api.Retention;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.settle.CompletionHook;
import dev.pawl.internal.settle.FencedRow;
import dev.pawl.internal.settle.KeptStates;
import dev.pawl.internal.settle.Settle;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import dev.pawl.spi.RemoteRun;
import dev.pawl.spi.RemoteRun.Renewal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The operations on runs that were handed off to remote workers. A renewal and an outcome first lock the job's row, by its id and lease
 * token, so that what they read does not change before the commit. The row in {@code pawl_assignment} names the worker of the run.
 */
final class AssignedRuns {
    private final Database database;
    private final Dialect dialect;
    private final Settle settle;
    private final Sql lock;
    private final Sql lockUnlessBusy;
    private final Sql isRunning;
    private final Assignments notes;
    private final Sql extend;
    private final Sql progress;

    /**
     * @param database the pool and the dialect
     * @param retention which finished jobs are kept at all
     * @param completionHook writes results and the progress of batches when jobs finish
     */
    AssignedRuns(Database database, Retention retention, CompletionHook completionHook) {
        this.database = database;
        this.dialect = database.dialect();
        this.settle = new Settle(dialect, new KeptStates(dialect, retention), completionHook);
        String later = dialect.nowPlusMicros();
        String fenced =
                "SELECT kind, queue, attempt, max_attempts, cancel_requested, expires_at, batch_id, cost, job_key,"
                        + " headers FROM pawl_job WHERE id = ? AND lease_token = ? AND " + dialect.runs() + " ";
        lock = dialect.statement(fenced + dialect.forUpdate());
        lockUnlessBusy = dialect.statement(fenced + dialect.skipLocked());
        isRunning = dialect.statement(fenced);
        notes = new Assignments(dialect);
        // The job has begun, so it no longer counts as prefetched. A lease is never shortened.
        extend =
                dialect.statement("UPDATE pawl_job SET prefetched = ?, lease_expires_at = CASE WHEN lease_expires_at > "
                        + later + " THEN lease_expires_at ELSE " + later + " END WHERE id = ?");
        progress = dialect.statement("UPDATE pawl_job SET progress = ? WHERE id = ?");
    }

    /**
     * A finished run.
     *
     * @param job of the run
     * @param verdict about the job
     * @param cancelRequested whether the job is cancelled instead of being tried again
     */
    record Ended(Job job, Verdict verdict, boolean cancelRequested) {}

    private record Running(Job job, boolean cancelRequested) {}

    /**
     * See {@link dev.pawl.spi.RemoteRuns#renew}. Does not wait for a locked row, because callers retry, and a waiting call would occupy a
     * connection.
     */
    Renewal renew(RemoteRun run, Duration lease, Duration longest, @Nullable Integer percent) throws SQLException {
        return database.transaction(connection -> {
            Running running = lock(connection, lockUnlessBusy, run);
            if (running == null && lock(connection, isRunning, run) != null) {
                throw new SQLTransientException("the row of job " + run.jobId() + " is locked: try again");
            }
            if (running == null) {
                return Renewal.LOST;
            }
            Optional<Assignments.Note> found = notes.whose(connection, lease(run), longest);
            if (isOfAnotherWorker(found, run)) {
                return Renewal.LOST;
            }
            if (found.isPresent() && found.get().overdue()) {
                return Renewal.OVERDUE;
            }
            if (found.isEmpty()) {
                notes.add(connection, lease(run), run.worker());
            }
            extend(connection, run, lease);
            if (percent != null) {
                progress(connection, run, percent);
            }
            return running.cancelRequested ? Renewal.CANCEL_REQUESTED : Renewal.RENEWED;
        });
    }

    /** See {@link dev.pawl.spi.RemoteRuns#end}. Empty if the outcome is refused. */
    Optional<Ended> end(RemoteRun run, Function<Job, Verdict> judgement) throws SQLException {
        return database.transaction(connection -> {
            Running running = lock(connection, lock, run);
            if (running == null) {
                return Optional.<Ended>empty();
            }
            Lease lease = lease(run);
            Optional<Assignments.Note> found = notes.whose(connection, lease, Duration.ZERO);
            if (isOfAnotherWorker(found, run)) {
                return Optional.<Ended>empty();
            }
            if (found.isEmpty()) {
                notes.add(connection, lease, run.worker());
            }
            Verdict verdict = judgement.apply(running.job);
            boolean accepted = settle.settle(connection, List.of(new Settlement(lease, verdict)), FencedRow.Which.ALL)
                    .accepted()
                    .contains(lease);
            return accepted ? Optional.of(new Ended(running.job, verdict, running.cancelRequested)) : Optional.empty();
        });
    }

    /** See {@link dev.pawl.spi.RemoteRuns#withdraw}. */
    boolean withdraw(RemoteRun run) throws SQLException {
        return database.transaction(connection -> notes.forget(connection, lease(run), run.worker()));
    }

    private static boolean isOfAnotherWorker(Optional<Assignments.Note> found, RemoteRun run) {
        return found.isPresent() && !found.get().worker().equals(run.worker());
    }

    private static Lease lease(RemoteRun run) {
        return new Lease(run.jobId(), run.leaseToken());
    }

    /** See {@link dev.pawl.spi.RemoteRuns#running}. */
    List<RemoteRun> running(Collection<String> kinds, int limit) throws SQLException {
        List<String> wanted = List.copyOf(kinds);
        Sql sql = dialect.statement("""
                SELECT j.id, j.lease_token, a.worker FROM pawl_job j
                  JOIN pawl_assignment a ON a.job_id = j.id AND a.lease_token = j.lease_token
                 WHERE j.state = 1 AND j.kind IN (%s) ORDER BY j.id LIMIT ?
                """.formatted("?,".repeat(wanted.size() - 1) + "?"));
        return database.autocommit(connection -> sql.on(connection, wanted.toArray())
                .bind(limit)
                .list(row -> new RemoteRun(row.getLong(1), row.getLong(2), row.getString(3))));
    }

    /** The time of the first migration, which identifies an installation. */
    String realm() throws SQLException {
        Sql sql = dialect.statement("SELECT applied_at FROM pawl_schema WHERE version = 1");
        return database.autocommit(connection -> sql.on(connection)
                .first(row -> Objects.requireNonNull(dialect.moment(row, "applied_at")))
                .map(made -> Long.toString(made.toEpochMilli(), Character.MAX_RADIX))
                .orElse("0"));
    }

    private @Nullable Running lock(Connection connection, Sql sql, RemoteRun run) throws SQLException {
        return sql.on(connection, run.jobId(), run.leaseToken())
                .first(row -> new Running(
                        Job.builder(run.jobId(), row.getString("kind"), row.getString("queue"))
                                .attempt(row.getInt("attempt"))
                                .maxAttempts(row.getInt("max_attempts"))
                                .headers(JobRows.headers(row.getString("headers")))
                                .key(row.getString("job_key"))
                                .batch(JobRows.batch(row.getLong("batch_id")))
                                .cost(JobRows.cost(row.getInt("cost")))
                                .expiresAt(dialect.moment(row, "expires_at"))
                                .build(),
                        row.getBoolean("cancel_requested")))
                .orElse(null);
    }

    private void extend(Connection connection, RemoteRun run, Duration lease) throws SQLException {
        extend.on(connection, false, Micros.of(lease), Micros.of(lease), run.jobId())
                .run();
    }

    private void progress(Connection connection, RemoteRun run, int percent) throws SQLException {
        progress.on(connection, percent, run.jobId()).run();
    }
}
