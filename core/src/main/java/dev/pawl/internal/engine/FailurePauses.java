package dev.pawl.internal.engine;

import dev.pawl.internal.store.JobStore;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;

/**
 * The pauses after failed calls to the database, by the kind of failure, and the intervals between warnings about the failures. Confined to
 * one thread.
 */
final class FailurePauses {
    private static final long WARN_INTERVAL = TimeUnit.MINUTES.toNanos(1);

    private final JobStore store;
    /** Short at first, because a pool may have more connections to a server that is gone, and each failure removes only one. */
    private final Backoff outage = new Backoff(20, 1_000);
    /** A node of a cluster that is behind the others refuses changes until it has caught up, which no event reports. */
    private final Backoff contention = new Backoff(20, 1_000);

    private final Backoff other = new Backoff(100, 5_000);
    private long warnedNanos = System.nanoTime() - WARN_INTERVAL;

    FailurePauses(JobStore store) {
        this.store = store;
    }

    /** {@return the pause after a failure, in nanoseconds} */
    long next(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return of(sql).next();
            }
        }
        return other.next();
    }

    private Backoff of(SQLException error) {
        if (store.isOutage(error)) {
            return outage;
        }
        return store.isContention(error) ? contention : other;
    }

    /** {@return whether a warning is due: once a minute at most, because failures and successes may alternate} */
    boolean isWarningDue() {
        long now = System.nanoTime();
        boolean due = now - warnedNanos >= WARN_INTERVAL;
        if (due) {
            warnedNanos = now;
        }
        return due;
    }

    /** Starts again at the shortest pauses. */
    void reset() {
        outage.reset();
        contention.reset();
        other.reset();
    }
}
