package dev.pawl.internal.batch;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.JobRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The progress of a batch, and the consequences of it. Its row is locked; confined to one transaction. */
final class Count {
    /** A pending action of a batch: its waiting jobs are to be cancelled. Nodes have other codes: see {@link NextNodes}. */
    static final int CANCEL_JOBS = 1;
    /** A pending action of a batch: its first jobs have completed, and the rest may start. */
    static final int RELEASE_REST = 2;

    /** The number of its jobs and inner batches; null if it is not sealed. */
    @Nullable
    Long expected;

    /** The number of its jobs up to {@link #knownTo}, as counted last; null if that is unknown. */
    @Nullable
    Long knownJobs;

    /** The id up to which jobs were counted. */
    long knownTo;

    long completed;
    long failed;
    long cancelled;
    int stopPercent;
    int stopAfter;
    boolean stopped;
    int fired;
    int reported;
    int pendingAction;
    int canary;

    static Count read(ResultSet row) throws SQLException {
        Count count = new Count();
        long expected = row.getLong("expected");
        count.expected = row.wasNull() ? null : expected;
        count.knownJobs = JobRows.longOrNull(row, "known_jobs");
        count.knownTo = row.getLong("known_to");
        count.completed = row.getLong("completed");
        count.failed = row.getLong("failed");
        count.cancelled = row.getLong("cancelled");
        count.stopPercent = row.getInt("stop_percent");
        count.stopAfter = row.getInt("stop_after");
        count.stopped = row.getInt("stopped") == 1;
        count.fired = row.getInt("fired");
        count.reported = row.getInt("reported");
        count.pendingAction = row.getInt("pending_action");
        count.canary = row.getInt("canary");
        return count;
    }

    void add(Tally tally) {
        completed += tally.completed();
        failed += tally.failed();
        cancelled += tally.cancelled();
        if (tally.revived()) {
            knownJobs = null; // pruning may have deleted a part of its list of jobs
        }
        if (stopped && tally.revived()) { // a retry lets it continue, even if more jobs fail
            stopped = false;
            stopPercent = 0;
            pendingAction = canary > 0 ? RELEASE_REST : 0; // the rest no longer waits for the first jobs
        }
    }

    /**
     * Stops the batch if too many jobs have failed, and sets its pending action. Called after the jobs were counted.
     */
    void stopIfNeeded() {
        if (!stopped && stopPercent > 0 && ended() >= stopAfter && 100 * failed > stopPercent * ended()) {
            stopped = true;
        }
        if (canary > 0 && completed >= canary) {
            pendingAction = RELEASE_REST;
        } else if (canary > 0 && pendingAction != RELEASE_REST && failed + cancelled > 0) {
            stopped = true;
        }
        if (stopped && !isDone()) { // cancels waiting jobs, also those added since
            pendingAction = CANCEL_JOBS;
        }
    }

    /** Sets the number of jobs that was counted, which is a lower bound. */
    void know(long jobs, long last, long batches) {
        knownJobs = jobs;
        knownTo = last;
        expected = jobs + batches;
    }

    long ended() {
        return completed + failed + cancelled;
    }

    boolean isDone() {
        return expected != null && ended() >= expected;
    }

    private boolean isSuccess() {
        return isDone() && failed == 0 && cancelled == 0;
    }

    boolean hasPendingAction() {
        return pendingAction != 0;
    }

    /** {@return the bits of the callbacks to enqueue now: each once, even if a job is retried later} */
    int fires() {
        int due = (failed > 0 ? BatchCounts.FAILED : 0)
                | (isDone() ? BatchCounts.DONE : 0)
                | (isSuccess() ? BatchCounts.SUCCESS : 0);
        return due & ~fired;
    }

    /** {@return the state as which the parent counts this batch; 0 while it is not done} */
    int reports() {
        JobState end = failed > 0 ? JobState.DISCARDED : cancelled > 0 ? JobState.CANCELLED : JobState.COMPLETED;
        return isDone() ? end.code() : 0;
    }
}
