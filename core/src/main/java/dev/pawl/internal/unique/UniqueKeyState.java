package dev.pawl.internal.unique;

import dev.pawl.api.JobState;
import dev.pawl.api.UniqueWhile;
import dev.pawl.internal.enqueue.LiveJobs;
import dev.pawl.internal.feature.BegunRows;
import dev.pawl.internal.feature.LiveJob;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Retry;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Reads the state of the job that has a unique key. Reads the current state if the snapshot of the transaction may be too old. */
final class UniqueKeyState {
    /** Number of tries to lock a job. More than one, because a claim locks the job only for a moment. */
    private static final int TRIES = 8;

    private final Dialect dialect;
    private final Sql live;
    private final Sql waiting;
    private final Sql touch;
    private final Sql ended;
    private final Sql endedNow;
    private final BegunRows begun;

    /**
     * @param dialect the product
     * @param begun finds jobs that have begun
     */
    UniqueKeyState(Dialect dialect, BegunRows begun) {
        this.begun = begun;
        this.dialect = dialect;
        live = dialect.planned("SELECT state FROM pawl_job WHERE id = ?");
        waiting = dialect.planned("SELECT " + LiveJobs.columns(dialect) + " FROM " + dialect.jobsById()
                + " WHERE id = ? AND " + dialect.waits() + " " + dialect.skipLocked());
        // Changes the row instead of only locking it, because on a cluster of several writers only a change conflicts
        // with a claim on another node. A larger token does no harm, because a claim increases the token anyway.
        touch = dialect.planned("UPDATE pawl_job SET lease_token = lease_token + 1 WHERE id = ?");
        ended = dialect.planned("SELECT state FROM pawl_job_history WHERE id = ?");
        endedNow = dialect.planned("SELECT state FROM pawl_job_history WHERE id = ? " + dialect.currentRead());
    }

    /**
     * {@return whether a job has never started; if so, no worker can claim it before this transaction ends} A job that sleeps or waits
     * for a signal has started. A job that stays locked counts as started, because its handler may run in a long transaction.
     */
    boolean waits(Connection connection, TimedKeys.Taken taken) throws SQLException {
        long id = taken.jobId();
        for (int tries = 1; tries <= TRIES; tries++) {
            int seen = state(connection, live, id); // read first, because InnoDB may keep locks on all examined rows
            if ((seen >= 0 && !JobState.ofCode(seen).isWaiting()) || (seen < 0 && isGone(connection, taken))) {
                return false;
            }
            LiveJob found = locked(connection, id);
            if (found != null) {
                if (found.expiredAt() != null || begun.has(connection, id)) {
                    return false;
                }
                return touch.on(connection, id).update() == 1;
            }
            if (seen < 0) {
                return false;
            }
            Retry.RACE.pause(tries, UniqueEnqueue.SAME_KEY);
        }
        return false;
    }

    private @Nullable LiveJob locked(Connection connection, long id) throws SQLException {
        return waiting.on(connection, id)
                .first(row -> LiveJobs.read(dialect, row))
                .orElse(null);
    }

    /**
     * {@return whether a job that is not found live has finished or was deleted; otherwise it was written after the
     * snapshot of this transaction}
     */
    private boolean isGone(Connection connection, TimedKeys.Taken taken) throws SQLException {
        return taken.isSeen() || (dialect.locksWhatIsMissing() && state(connection, ended, taken.jobId()) >= 0);
    }

    /** {@return whether a finished job keeps its key, as read from the snapshot of this transaction} */
    boolean blocks(Connection connection, TimedKeys.Taken taken, UniqueWhile scope) throws SQLException {
        return leavesTaken(scope) && blocks(scope, state(connection, ended, taken.jobId()));
    }

    /** {@return whether a job that is no longer live keeps its key, by its current state} */
    boolean blocksNow(Connection connection, TimedKeys.Taken taken, UniqueWhile scope) throws SQLException {
        if (!leavesTaken(scope)) {
            return false;
        }
        long id = taken.jobId();
        int seen = state(connection, ended, id);
        boolean isOld = seen >= 0 || (taken.isSeen() && state(connection, live, id) < 0);
        return blocks(scope, isOld ? seen : state(connection, endedNow, id));
    }

    private static boolean leavesTaken(UniqueWhile scope) {
        return scope == UniqueWhile.LIVE_OR_DISCARDED || scope == UniqueWhile.KEPT;
    }

    private static boolean blocks(UniqueWhile scope, int state) {
        return scope == UniqueWhile.KEPT ? state >= 0 : state == JobState.DISCARDED.code();
    }

    /** {@return the code of the state; -1 if there is no such row} */
    private static int state(Connection connection, Sql sql, long id) throws SQLException {
        return sql.on(connection, id).first(row -> row.getInt(1)).orElse(-1);
    }
}
