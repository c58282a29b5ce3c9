package dev.pawl.internal.batch;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.JobRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** How far a batch is, and what follows from that. Its row is locked; confined to one transaction. */
final class Count {
    /** What waits is to be cancelled. */
    static final int CANCEL = 1;
    /** The first jobs have completed, and the others may begin. */
    static final int RELEASE = 2;

    /** Null: not sealed. */
    @Nullable
    Long expected;

    /** How many jobs it had up to some id when they were counted last; null: it is not known. */
    @Nullable
    Long knownJobs;

    /** Up to that id, if it is known. */
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
        if (tally.total() < 0) {
            knownJobs = null; // it may have been about to be forgotten, job by job
        }
        if (stopped && tally.total() < 0) { // somebody wants it to go on, whatever fails
            stopped = false;
            stopPercent = 0;
            pendingAction = canary > 0 ? RELEASE : 0; // its first jobs hold up nothing any more
        }
    }

    /** After it is known how many there are. */
    void stopIfNeeded() {
        if (!stopped && stopPercent > 0 && ended() >= stopAfter && 100 * failed > stopPercent * ended()) {
            stopped = true;
        }
        if (canary > 0 && completed >= canary) {
            pendingAction = RELEASE;
        } else if (canary > 0 && pendingAction != RELEASE && failed + cancelled > 0) {
            stopped = true;
        }
        if (stopped && !isDone()) { // what waits, and what was added since
            pendingAction = CANCEL;
        }
    }

    /** The count is a lower bound. */
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

    /** {@return the callbacks whose time has come: each once, also if a job is tried again later} */
    int fires() {
        int due = (failed > 0 ? BatchCounts.FAILED : 0)
                | (isDone() ? BatchCounts.DONE : 0)
                | (isSuccess() ? BatchCounts.SUCCESS : 0);
        return due & ~fired;
    }

    /** {@return as what the batch that it is part of counts it: 0 while it is not done} */
    int reports() {
        JobState end = failed > 0 ? JobState.DISCARDED : cancelled > 0 ? JobState.CANCELLED : JobState.COMPLETED;
        return isDone() ? end.code() : 0;
    }
}
