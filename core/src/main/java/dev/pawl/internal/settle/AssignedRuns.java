package dev.pawl.internal.settle;

import dev.pawl.Job;
import dev.pawl.Retention;
import dev.pawl.RunElsewhere;
import dev.pawl.RunElsewhere.Renewal;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The verbs over runs that go on outside the process that claimed them. Each first locks the job's row under its token,
 * so that nothing it reads or writes can change meanwhile; the row in {@code pawl_assignment} says whose run it is.
 */
public final class AssignedRuns {
    private final Database database;
    private final Dialect dialect;
    private final Settle settle;
    private final String lock;
    private final String lockUnlessBusy;
    private final String isRunning;
    private final RunNotes notes;
    private final String extend;
    private final String progress;

    /**
     * @param database the pool and the dialect
     * @param retention which finished jobs are kept at all
     * @param aftermath what is written besides when jobs end
     */
    public AssignedRuns(Database database, Retention retention, Aftermath aftermath) {
        this.database = database;
        this.dialect = database.dialect();
        this.settle = new Settle(dialect, new KeptStates(dialect, retention), aftermath);
        String later = dialect.nowPlusMicros();
        String fenced = "SELECT kind, queue, attempt, max_attempts, cancel_requested, headers FROM pawl_job"
                + " WHERE id = ? AND lease_token = ? AND " + dialect.runs() + " ";
        lock = dialect.sql(fenced + dialect.forUpdate());
        lockUnlessBusy = dialect.sql(fenced + dialect.skipLocked());
        isRunning = dialect.sql(fenced);
        notes = new RunNotes(dialect);
        // It has begun, even if it was claimed ahead; and a lease that was promised is never made shorter.
        extend = dialect.sql("UPDATE pawl_job SET prefetched = ?, lease_expires_at = CASE WHEN lease_expires_at > "
                + later + " THEN lease_expires_at ELSE " + later + " END WHERE id = ?");
        progress = dialect.sql("UPDATE pawl_job SET progress = ? WHERE id = ?");
    }

    /**
     * A run that has ended.
     *
     * @param job of which it was an attempt
     * @param verdict what became of the job
     */
    public record Ended(Job job, Verdict verdict) {}

    private record Running(Job job, boolean cancelRequested) {}

    /**
     * See {@link dev.pawl.RunsElsewhere#renew}. Does not wait for a row that somebody else has locked: callers ask again,
     * and each would hold a connection meanwhile.
     */
    public Renewal renew(RunElsewhere run, Duration lease, Duration longest, @Nullable Integer percent)
            throws SQLException {
        return database.transaction(connection -> {
            Running running = lock(connection, lockUnlessBusy, run);
            if (running == null && lock(connection, isRunning, run) != null) {
                throw new SQLTransientException("the row of job " + run.jobId() + " is locked: ask again");
            }
            if (running == null) {
                return Renewal.LOST;
            }
            Optional<RunNotes.Note> found = notes.whose(connection, lease(run), longest);
            if (isSomebodyElses(found, run)) {
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

    /** See {@link dev.pawl.RunsElsewhere#end}; empty if it is refused. */
    public Optional<Ended> end(RunElsewhere run, Function<Job, Verdict> judgement) throws SQLException {
        return database.transaction(connection -> {
            Running running = lock(connection, lock, run);
            if (running == null) {
                return Optional.<Ended>empty();
            }
            Lease lease = lease(run);
            Optional<RunNotes.Note> found = notes.whose(connection, lease, Duration.ZERO);
            if (isSomebodyElses(found, run)) {
                return Optional.<Ended>empty();
            }
            if (found.isEmpty()) {
                notes.add(connection, lease, run.worker());
            }
            Verdict verdict = judgement.apply(running.job);
            boolean accepted = settle.settle(connection, List.of(new Settlement(lease, verdict)), FencedRow.Which.ALL)
                    .accepted()
                    .contains(lease);
            return accepted ? Optional.of(new Ended(running.job, verdict)) : Optional.empty();
        });
    }

    /** See {@link dev.pawl.RunsElsewhere#withdraw}. */
    public boolean withdraw(RunElsewhere run) throws SQLException {
        return database.transaction(connection -> notes.forget(connection, lease(run), run.worker()));
    }

    private static boolean isSomebodyElses(Optional<RunNotes.Note> found, RunElsewhere run) {
        return found.isPresent() && !found.get().worker().equals(run.worker());
    }

    private static Lease lease(RunElsewhere run) {
        return new Lease(run.jobId(), run.leaseToken());
    }

    /** See {@link dev.pawl.RunsElsewhere#running}. */
    public List<RunElsewhere> running(Collection<String> kinds, int limit) throws SQLException {
        List<String> wanted = List.copyOf(kinds);
        String sql = dialect.sql("""
                SELECT j.id, j.lease_token, a.worker FROM pawl_job j
                  JOIN pawl_assignment a ON a.job_id = j.id AND a.lease_token = j.lease_token
                 WHERE j.state = 1 AND j.kind IN (%s) ORDER BY j.id LIMIT ?
                """.formatted("?,".repeat(wanted.size() - 1) + "?"));
        return database.autocommit(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (int i = 0; i < wanted.size(); i++) {
                    statement.setString(i + 1, wanted.get(i));
                }
                statement.setInt(wanted.size() + 1, limit);
                List<RunElsewhere> running = new ArrayList<>();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        running.add(new RunElsewhere(rows.getLong(1), rows.getLong(2), rows.getString(3)));
                    }
                }
                return running;
            }
        });
    }

    /** The time of the first migration, which no two installations share. */
    public String realm() throws SQLException {
        String sql = dialect.sql("SELECT applied_at FROM pawl_schema WHERE version = 1");
        return database.autocommit(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql);
                    ResultSet row = statement.executeQuery()) {
                Instant made = row.next() ? dialect.moment(row, "applied_at") : null;
                return made == null ? "0" : Long.toString(made.toEpochMilli(), Character.MAX_RADIX);
            }
        });
    }

    private static @Nullable Running lock(Connection connection, String sql, RunElsewhere run) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, run.jobId());
            statement.setLong(2, run.leaseToken());
            try (ResultSet row = statement.executeQuery()) {
                return row.next()
                        ? new Running(
                                Job.builder(run.jobId(), row.getString("kind"), row.getString("queue"))
                                        .attempt(row.getInt("attempt"))
                                        .maxAttempts(row.getInt("max_attempts"))
                                        .headers(JobRows.headers(row.getString("headers")))
                                        .build(),
                                row.getBoolean("cancel_requested"))
                        : null;
            }
        }
    }

    private void extend(Connection connection, RunElsewhere run, Duration lease) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(extend)) {
            statement.setBoolean(1, false);
            statement.setLong(2, Micros.of(lease));
            statement.setLong(3, Micros.of(lease));
            statement.setLong(4, run.jobId());
            statement.executeUpdate();
        }
    }

    private void progress(Connection connection, RunElsewhere run, int percent) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(progress)) {
            statement.setInt(1, percent);
            statement.setLong(2, run.jobId());
            statement.executeUpdate();
        }
    }
}
