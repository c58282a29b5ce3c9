package dev.pawl.internal.admin;

import dev.pawl.api.InvalidJobException;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.JobStep;
import dev.pawl.api.SignalResult;
import dev.pawl.internal.feature.LinkedRows;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.store.StepRow;
import dev.pawl.internal.store.StepStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Sends signals to jobs. The job and the sender use the same row for a signal: the first of them inserts it, and the other finds it. The
 * sender first tries to lock the job's row, without waiting, because a job locks its own row, too, before it waits for a signal. Without
 * that lock, the sender only inserts the row of the signal, which cannot deadlock.
 */
final class Signals {
    private static final int MAX = 1_000;

    private final JobQueries jobQueries;
    private final StepStore steps;
    private final LinkedRows linked;
    private final Sql lock;
    private final Sql wake;
    private final Sql wakeBlocked;
    private final Sql count;

    Signals(Dialect dialect, JobQueries jobQueries, StepStore steps, LinkedRows linked) {
        this.jobQueries = jobQueries;
        this.steps = steps;
        this.linked = linked;
        lock = dialect.statement("SELECT 1 FROM pawl_job WHERE id = ? " + dialect.skipLocked());
        String due = "UPDATE pawl_job SET available_at = " + dialect.now() + " WHERE id = ? AND available_at > "
                + dialect.now() + " AND ";
        wake = dialect.statement(due + dialect.isClaimable());
        wakeBlocked = dialect.statement(due + dialect.isIn(JobState.BLOCKED));
        count = dialect.statement("SELECT COUNT(*) FROM pawl_step WHERE job_id = ?");
    }

    /** The result, and the queue whose workers are notified. */
    record Sent(SignalResult result, String queue) {}

    Sent send(Connection connection, long jobId, String name, String value) throws SQLException {
        Optional<Job> job = jobQueries.find(connection, jobId);
        if (job.isEmpty()) {
            return new Sent(SignalResult.NOT_FOUND, "");
        }
        String queue = job.get().queue();
        if (job.get().state().isFinished()) {
            return new Sent(SignalResult.ALREADY_FINISHED, queue);
        }
        requireRoom(connection, jobId);
        boolean locked = isLockedNow(connection, jobId);
        StepRow.Name signal = new StepRow.Name(JobStep.Kind.SIGNAL, name);
        if (steps.add(connection, jobId, StepRow.done(signal, 0, value))) {
            return new Sent(SignalResult.DELIVERED, queue);
        }
        StepRow there = steps.find(connection, jobId, signal).orElseThrow(Signals::tryAgain);
        if (!there.isWaiting()) {
            boolean came = there.state() == JobStep.State.DONE;
            return new Sent(came ? SignalResult.ALREADY_SENT : SignalResult.TOO_LATE, queue);
        }
        if (!locked) {
            throw tryAgain(); // the job has just begun to wait; its row will be visible in a moment
        }
        steps.end(connection, jobId, StepRow.done(signal, there.place(), value));
        wake(connection, jobId);
        return new Sent(SignalResult.DELIVERED, queue);
    }

    private static SQLException tryAgain() {
        return new SQLException("the row of the job is locked, or has changed: try again", "40001");
    }

    private boolean isLockedNow(Connection connection, long jobId) throws SQLException {
        return lock.on(connection, jobId).exists();
    }

    private void wake(Connection connection, long jobId) throws SQLException {
        if (wake.on(connection, jobId).update() > 0) {
            linked.changes().signalled(connection, jobId, false);
        } else if (wakeBlocked.on(connection, jobId).update() > 0) {
            linked.changes().signalled(connection, jobId, true);
        }
    }

    private void requireRoom(Connection connection, long jobId) throws SQLException {
        if (count.on(connection, jobId).one(row -> row.getLong(1)) >= MAX) {
            throw new InvalidJobException("job " + jobId + " has " + MAX
                    + " steps and signals, which is the limit: no further signal is kept for it");
        }
    }
}
