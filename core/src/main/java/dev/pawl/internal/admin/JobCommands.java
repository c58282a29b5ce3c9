package dev.pawl.internal.admin;

import dev.pawl.admin.CancelResult;
import dev.pawl.admin.EditResult;
import dev.pawl.admin.JobEdit;
import dev.pawl.admin.RetryResult;
import dev.pawl.api.JobState;
import dev.pawl.internal.enqueue.ExpiredKey;
import dev.pawl.internal.enqueue.LiveJobs;
import dev.pawl.internal.feature.JobTable;
import dev.pawl.internal.feature.LinkedRows;
import dev.pawl.internal.feature.LiveJob;
import dev.pawl.internal.feature.RemovedJobs;
import dev.pawl.internal.feature.Transition;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Retry;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.jdbc.SqlWork;
import dev.pawl.internal.place.JobPlaces;
import dev.pawl.internal.place.PlaceCommands;
import dev.pawl.internal.settle.Archive;
import dev.pawl.internal.settle.CompletionHook;
import dev.pawl.internal.settle.FinishedJob;
import dev.pawl.internal.settle.HookBusy;
import dev.pawl.internal.settle.KeptStates;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Cancels, edits and retries jobs for administration, in the caller's transaction if it is given one. */
final class JobCommands {
    private final Database database;
    private final Dialect dialect;
    private final Archive archive;
    private final List<PlaceCommands> places;
    private final KeptStates kept;
    private final ExpiredKey expiredKey;
    private final CompletionHook completionHook;
    private final LinkedRows linked;

    /**
     * @param database the pool and the dialect
     * @param kept whether cancelled jobs are kept
     * @param completionHook called in the transaction in which jobs finish, or are revived
     * @param linked rows that follow the jobs
     */
    public JobCommands(Database database, KeptStates kept, CompletionHook completionHook, LinkedRows linked) {
        this.linked = linked;
        this.completionHook = completionHook;
        this.database = database;
        this.dialect = database.dialect();
        this.archive = new Archive(dialect);
        this.places = JobPlaces.commands(dialect);
        this.kept = kept;
        this.expiredKey = new ExpiredKey(dialect);
    }

    /** Cancels a job. */
    public CancelResult cancel(long jobId) throws SQLException {
        CancelResult result = apart(connection -> cancelRow(connection, jobId));
        if (result != CancelResult.NOT_FOUND) {
            return result;
        }
        JobState before = giveRow(jobId);
        if (before == JobState.COMPLETED) {
            return CancelResult.ALREADY_FINISHED;
        }
        result = apart(connection -> cancelRow(connection, jobId));
        return result == CancelResult.NOT_FOUND && before == JobState.RUNNING ? CancelResult.IN_TRANSACTION : result;
    }

    /**
     * Gives an available or running job a row, if it has none, unless a transaction of its handler is open. Commits the row, because claims
     * may wait for this transaction, and so it must not wait for the locks that a command needs, such as the lock of a batch.
     *
     * @return the job's state before; null if the job is in none of the places without rows
     */
    @Nullable
    JobState giveRow(long jobId) throws SQLException {
        return apart(connection -> Optional.ofNullable(giveRow(connection, jobId)))
                .orElse(null);
    }

    /** {@return what the work returns, in a transaction of its own that sees the latest commits, as places without rows need} */
    private <T> T apart(SqlWork<T> work) throws SQLException {
        return database.racing(connection -> {
            dialect.seeLatest(connection);
            return work.run(connection);
        });
    }

    private @Nullable JobState giveRow(Connection connection, long jobId) throws SQLException {
        for (PlaceCommands place : places) {
            JobState before = place.giveRow(connection, jobId);
            if (before != null) {
                return before;
            }
        }
        return null;
    }

    private CancelResult cancelRow(Connection connection, long jobId) throws SQLException {
        if (isLockedByHandler(connection, jobId)) {
            return CancelResult.IN_TRANSACTION;
        }
        JobState state = lockLive(connection, jobId);
        if (state == null && !isFinished(connection, jobId)) {
            state = lockLive(connection, jobId); // a retry may have revived it between the two reads
        }
        if (state == null) {
            return isFinished(connection, jobId) ? CancelResult.ALREADY_FINISHED : CancelResult.NOT_FOUND;
        }
        if (state == JobState.RUNNING) {
            askToStop(connection, List.of(jobId));
            return CancelResult.REQUESTED;
        }
        if (state == JobState.COMPLETED) {
            return CancelResult.ALREADY_FINISHED; // marked as completed, and soon moved to the history
        }
        int unused = cancelWaiting(connection, List.of(jobId));
        return CancelResult.CANCELLED;
    }

    /**
     * Cancels waiting jobs together. At the end, the jobs are counted in their batches.
     *
     * @param locked ids of jobs, which this transaction has locked
     * @return how many
     */
    int cancelWaiting(Connection connection, List<Long> locked) throws SQLException {
        if (kept.keeps(connection, JobState.CANCELLED)) {
            archive.appendCancelled(connection, locked);
        }
        return ended(connection, locked, () -> {
            linked.remove(
                    Transition.CANCEL,
                    new RemovedJobs(connection, JobTable.LIVE, locked),
                    () -> archive.delete(connection, locked));
            return locked;
        });
    }

    /**
     * Asks runs to stop.
     *
     * @param locked ids of jobs, which this transaction has locked
     */
    void askToStop(Connection connection, List<Long> locked) throws SQLException {
        if (locked.isEmpty()) {
            return;
        }
        Sql sql = dialect.planned("UPDATE " + dialect.jobsById() + " SET cancel_requested = TRUE WHERE "
                + dialect.anyOf("id", locked.size()));
        sql.on(connection, locked).run();
    }

    /**
     * Removes waiting jobs as cancelled. At the end, the removed jobs are counted in their batches.
     *
     * @return how many are gone
     */
    int ended(Connection connection, List<Long> ids, Removal removal) throws SQLException {
        List<FinishedJob> members = FinishedJob.members(connection, dialect, "pawl_job", ids, JobState.CANCELLED);
        Set<Long> gone = Set.copyOf(removal.run());
        completionHook.afterCompletion(
                connection,
                members.stream().filter(job -> gone.contains(job.jobId())).toList());
        return gone.size();
    }

    /** Removes jobs; returns the ids of the removed ones. */
    interface Removal {
        List<Long> run() throws SQLException;
    }

    /** Edits a job. */
    public EditResult edit(long jobId, JobEdit edit, String by) throws SQLException {
        EditResult result = apart(connection -> editRow(connection, jobId, edit, by));
        if (result != EditResult.NOT_FOUND) {
            return result;
        }
        JobState before = giveRow(jobId);
        if (before == JobState.COMPLETED) {
            return EditResult.ALREADY_FINISHED;
        }
        result = apart(connection -> editRow(connection, jobId, edit, by));
        return result == EditResult.NOT_FOUND && before == JobState.RUNNING ? EditResult.RUNNING : result;
    }

    private EditResult editRow(Connection connection, long jobId, JobEdit edit, String by) throws SQLException {
        if (isLockedByHandler(connection, jobId)) {
            return EditResult.RUNNING;
        }
        JobState state = lockLive(connection, jobId);
        if (state == null || state == JobState.COMPLETED) {
            return state != null || isFinished(connection, jobId) ? EditResult.ALREADY_FINISHED : EditResult.NOT_FOUND;
        }
        if (state == JobState.RUNNING) {
            return EditResult.RUNNING;
        }
        return new Edits(dialect, linked.changes()).make(connection, jobId, edit, by)
                ? EditResult.CHANGED
                : EditResult.OTHER_PAYLOAD;
    }

    /**
     * Retries a job in a call for many jobs. A job that its concurrency key blocks stays blocked, and any other job whose key is paused
     * becomes blocked. A retry of a single job would make these jobs available.
     *
     * @param moment when it becomes available; null for now. A waiting job that is due earlier keeps its time
     */
    RetryResult retryOneOfMany(Connection connection, long jobId, @Nullable Instant moment) throws SQLException {
        if (isLockedByHandler(connection, jobId)) {
            return RetryResult.RUNNING;
        }
        JobState state = lockLive(connection, jobId);
        if (state == JobState.AVAILABLE || state == JobState.BLOCKED) {
            bringForward(connection, jobId, moment);
            linked.changes().retried(connection, List.of(jobId));
            return RetryResult.AVAILABLE_NOW;
        }
        RetryResult result = retry(connection, jobId);
        if (result != RetryResult.AVAILABLE_NOW) {
            return result;
        }
        if (moment == null) {
            linked.changes().retried(connection, List.of(jobId));
        } else {
            dialect.statement("UPDATE pawl_job SET available_at = " + dialect.moment() + " WHERE id = ?")
                    .on(connection, moment, jobId)
                    .run();
            linked.changes().rescheduled(connection, List.of(jobId));
        }
        return result;
    }

    private void bringForward(Connection connection, long jobId, @Nullable Instant moment) throws SQLException {
        String time = moment == null ? dialect.now() : dialect.moment();
        Sql sql = dialect.statement(
                "UPDATE pawl_job SET available_at = " + time + " WHERE id = ? AND available_at > " + time);
        (moment == null ? sql.on(connection, jobId) : sql.on(connection, moment, jobId, moment)).run();
    }

    /**
     * {@return what the work returns, in a transaction that retries jobs} While a caller's transaction seals the batch of a job without a
     * row, this transaction is rolled back and repeated, because it would hold locks for which the outcomes of other jobs wait.
     */
    <T> T retrying(SqlWork<T> work) throws SQLException {
        for (int tries = 1; ; tries++) {
            try {
                return database.racing(work);
            } catch (HookBusy busy) {
                Retry.CONTENTION.pause(tries, "for a transaction that is sealing a batch");
            }
        }
    }

    /**
     * Retries a job, in a transaction by {@link #retrying}.
     *
     * @throws HookBusy if the job has no row and its batch is being sealed
     */
    public RetryResult retry(Connection connection, long jobId) throws SQLException {
        RetryResult result = retryRow(connection, jobId);
        if (result != RetryResult.NOT_FOUND) {
            return result;
        }
        for (PlaceCommands place : places) {
            JobState before = place.revive(connection, jobId);
            if (before == JobState.COMPLETED) {
                revived(
                        FinishedJob.members(connection, dialect, "pawl_job", List.of(jobId), before),
                        connection,
                        completionHook.withoutWaiting());
            }
            if (before != null) {
                return before == JobState.RUNNING ? RetryResult.RUNNING : RetryResult.AVAILABLE_NOW;
            }
        }
        return retryRow(connection, jobId);
    }

    private RetryResult retryRow(Connection connection, long jobId) throws SQLException {
        if (isLockedByHandler(connection, jobId)) {
            return RetryResult.RUNNING;
        }
        JobState state = lockLive(connection, jobId);
        if (state == JobState.RUNNING) {
            return RetryResult.RUNNING;
        }
        if (state != null && state.isWaiting()) {
            String now = dialect.now();
            dialect.statement("UPDATE pawl_job SET " + RowStates.CLAIMABLE + ", available_at = " + now
                            + " WHERE id = ? AND (available_at > " + now + " OR NOT (" + dialect.isClaimable() + "))")
                    .on(connection, jobId)
                    .run();
            if (state == JobState.BLOCKED) {
                linked.changes().unblocked(connection, jobId);
            }
            return RetryResult.AVAILABLE_NOW;
        }
        if (state == JobState.COMPLETED) { // marked as completed, and not yet moved to the history
            archive.appendMarked(connection, List.of(jobId));
            archive.delete(connection, List.of(jobId));
        }
        List<FinishedJob> members = new ArrayList<>();
        RetryResult result = revive(connection, jobId, null, members);
        revived(members, connection, completionHook);
        return result;
    }

    /**
     * Moves a finished job back to the live table. The job keeps its lease token, which the next claim increases, so a late write by the
     * last owner is refused. The attempts are also counted on from their old number. After the greatest possible number, each further
     * attempt gets this number.
     *
     * @param at when it becomes available; null for now
     * @param members receives the job if it belongs to a batch, which must count it
     */
    private RetryResult revive(Connection connection, long jobId, @Nullable Instant at, List<FinishedJob> members)
            throws SQLException {
        if (isKeyTaken(connection, jobId)) {
            return RetryResult.KEY_TAKEN;
        }
        String insert = """
            INSERT INTO pawl_job (id, lease_token, created_at, available_at, priority, attempt, max_attempts, expires_at,
                                  batch_id, cost, queue, kind, unique_key, unindexed_key, job_key, tags, headers, payload)
            SELECT id, lease_token, created_at, %s, priority,
                   CASE WHEN attempt < 32767 THEN attempt ELSE 32766 END,
                   CASE WHEN attempt < max_attempts OR attempt = 32767 THEN max_attempts ELSE attempt + 1 END,
                   expires_at, batch_id, cost, queue, kind, unique_key, unindexed_key, job_key, tags, headers, payload
              FROM pawl_job_history WHERE id = ?
            """.formatted(at == null ? dialect.now() : dialect.moment());
        if (revive(connection, insert, jobId, at) == 0) {
            JobState live = state(connection, jobId, ""); // another retry may have been faster
            return live == null
                    ? RetryResult.NOT_FOUND
                    : live == JobState.RUNNING ? RetryResult.RUNNING : RetryResult.AVAILABLE_NOW;
        }
        members.addAll(FinishedJob.members(connection, dialect, "pawl_job_history", List.of(jobId), null));
        dialect.statement("DELETE FROM pawl_job_history WHERE id = ?")
                .on(connection, jobId)
                .run();
        linked.changes().revived(connection, List.of(jobId));
        return RetryResult.AVAILABLE_NOW;
    }

    private int revive(Connection connection, String insert, long jobId, @Nullable Instant at) throws SQLException {
        Sql sql = dialect.statement(insert);
        return (at == null ? sql.on(connection, jobId) : sql.on(connection, at, jobId)).update();
    }

    /** Lets batches count revived jobs as live again. */
    private static void revived(List<FinishedJob> members, Connection connection, CompletionHook hook)
            throws SQLException {
        hook.afterCompletion(
                connection, members.stream().map(FinishedJob::undone).toList());
    }

    /**
     * Revives finished jobs, newest first. Of several jobs with the same unique key, the newest is revived, or none if a live job has the
     * key. At the end, batches count the revived jobs.
     *
     * @param ids of jobs in the history, ascending
     * @param moments when each becomes available; null for now
     * @return how many are available now
     */
    int revive(Connection connection, List<Long> ids, @Nullable List<Instant> moments) throws SQLException {
        List<FinishedJob> members = new ArrayList<>();
        int revived = 0;
        for (int i = ids.size() - 1; i >= 0; i--) {
            Instant at = moments == null ? null : moments.get(i);
            revived += revive(connection, ids.get(i), at, members) == RetryResult.AVAILABLE_NOW ? 1 : 0;
        }
        revived(members, connection, completionHook);
        return revived;
    }

    /**
     * {@return whether a live job has the unique key of a finished one} An expired job does not count, because it will not run.
     */
    private boolean isKeyTaken(Connection connection, long jobId) throws SQLException {
        Holder holder = holder(connection, jobId);
        return holder != null
                && (holder.job.expiredAt() == null || !expiredKey.take(connection, holder.key, holder.job.id()));
    }

    /** A live job and its unique key. */
    private record Holder(LiveJob job, String key) {}

    private @Nullable Holder holder(Connection connection, long jobId) throws SQLException {
        Sql sql = dialect.statement("SELECT " + LiveJobs.columns(dialect) + ", unique_key FROM pawl_job"
                + " WHERE kind = (SELECT h.kind FROM pawl_job_history h WHERE h.id = ?)"
                + " AND unique_key = (SELECT h.unique_key FROM pawl_job_history h WHERE h.id = ?)");
        return sql.on(connection, jobId, jobId)
                .first(row -> new Holder(LiveJobs.read(dialect, row), row.getString("unique_key")))
                .orElse(null);
    }

    private boolean isFinished(Connection connection, long jobId) throws SQLException {
        return dialect.statement("SELECT 1 FROM pawl_job_history WHERE id = ?")
                .on(connection, jobId)
                .exists();
    }

    /** {@return whether a running job's row is locked} A command must not wait for that lock, because the handler may hold it for long. */
    private boolean isLockedByHandler(Connection connection, long jobId) throws SQLException {
        return state(connection, jobId, dialect.skipLocked()) == null
                && state(connection, jobId, "") == JobState.RUNNING;
    }

    private @Nullable JobState lockLive(Connection connection, long jobId) throws SQLException {
        return state(connection, jobId, dialect.forUpdate());
    }

    private @Nullable JobState state(Connection connection, long jobId, String lock) throws SQLException {
        Sql sql = dialect.statement("SELECT state FROM pawl_job WHERE id = ? " + lock);
        return sql.on(connection, jobId)
                .first(row -> JobState.ofCode(row.getInt(1)))
                .orElse(null);
    }
}
