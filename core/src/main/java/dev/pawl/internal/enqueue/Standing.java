package dev.pawl.internal.enqueue;

import dev.pawl.api.JobState;
import dev.pawl.api.UniqueWhile;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** How the job of a key stands, as it is now and not as an old snapshot of the transaction shows it. */
final class Standing {
    /** How often to skip a job that somebody has locked: whoever claims it has it for a moment. */
    private static final int TRIES = 8;

    private final Dialect dialect;
    private final String live;
    private final String waiting;
    private final String touch;
    private final String ended;
    private final String endedNow;
    private final String begun;

    /**
     * @param dialect the product
     */
    Standing(Dialect dialect) {
        this.dialect = dialect;
        live = dialect.sql("SELECT state FROM pawl_job WHERE id = ?");
        waiting = dialect.sql("SELECT " + LiveJobs.columns(dialect) + " FROM " + dialect.jobsById()
                + " WHERE id = ? AND " + dialect.waits() + " " + dialect.skipLocked());
        // A change, and not only a lock: on a cluster of several writers it shows a claim on another node that they
        // met. The
        // token is free to grow: whoever claims the job draws the next one.
        touch = dialect.sql("UPDATE pawl_job SET lease_token = lease_token + 1 WHERE id = ?");
        begun = dialect.sql("SELECT 1 FROM pawl_step WHERE job_id = ? AND place > 0 LIMIT 1");
        ended = dialect.sql("SELECT state FROM pawl_job_history WHERE id = ?");
        endedNow = dialect.sql("SELECT state FROM pawl_job_history WHERE id = ? " + dialect.currentRead());
    }

    /**
     * {@return whether a job has not begun, nor sleeps or waits for a signal after it has; then nobody can claim it before this transaction ends} One that stays locked counts as
     * begun: its handler may be in a transaction, and to wait for its end would help nobody.
     */
    boolean waits(Connection connection, TimedKeys.Taken taken) throws SQLException {
        long id = taken.jobId();
        for (int tries = 1; tries <= TRIES; tries++) {
            int seen = state(connection, live, id); // first, because InnoDB may keep a lock on what it only looked at
            if (seen > JobState.AVAILABLE.code() || (seen < 0 && isGone(connection, taken))) {
                return false;
            }
            LiveJob found = locked(connection, id);
            if (found != null) {
                if (found.expired() != null || state(connection, begun, id) >= 0) {
                    return false;
                }
                try (PreparedStatement statement = dialect.planned(connection, touch)) {
                    statement.setLong(1, id);
                    return statement.executeUpdate() == 1;
                }
            }
            if (seen < 0) {
                return false;
            }
            RetryPause.pause(tries);
        }
        return false;
    }

    private @Nullable LiveJob locked(Connection connection, long id) throws SQLException {
        try (PreparedStatement statement = dialect.planned(connection, waiting)) {
            statement.setLong(1, id);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? LiveJobs.read(dialect, row) : null;
            }
        }
    }

    /** A job that was not found among the live ones, and that is not there only since the snapshot of this transaction. */
    private boolean isGone(Connection connection, TimedKeys.Taken taken) throws SQLException {
        return taken.isSeen() || (dialect.locksWhatIsMissing() && state(connection, ended, taken.jobId()) >= 0);
    }

    /** {@return whether a job has ended in a way that leaves its key taken, as far as this transaction sees} */
    boolean blocks(Connection connection, TimedKeys.Taken taken, UniqueWhile scope) throws SQLException {
        return leavesTaken(scope) && blocks(scope, state(connection, ended, taken.jobId()));
    }

    /** {@return the same by now, of a job that is not live any more} */
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

    /** {@return the code; -1 if the job is not there} */
    private int state(Connection connection, String sql, long id) throws SQLException {
        try (PreparedStatement statement = dialect.planned(connection, sql)) {
            statement.setLong(1, id);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getInt(1) : -1;
            }
        }
    }
}
