package dev.pawl.internal.enqueue;

import dev.pawl.JobState;
import dev.pawl.UniqueWhile;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** How the job of a key stands, as it is now and not as an old snapshot of the transaction shows it. */
final class Standing {
    /** How often to skip a job that somebody has locked: whoever claims it has it for a moment. */
    private static final int TRIES = 8;

    private final Dialect dialect;
    private final String live;
    private final String lock;
    private final String touch;
    private final String ended;
    private final String begun;

    /**
     * @param dialect the product
     */
    Standing(Dialect dialect) {
        this.dialect = dialect;
        live = dialect.sql("SELECT state FROM pawl_job WHERE id = ?");
        lock = dialect.sql(
                "SELECT state FROM " + dialect.jobsById() + " WHERE id = ? AND state = 0 " + dialect.skipLocked());
        // A change, and not only a lock: on a cluster of several writers it shows a claim on another node that they
        // met. The
        // token is free to grow: whoever claims the job draws the next one.
        touch = dialect.sql("UPDATE pawl_job SET lease_token = lease_token + 1 WHERE id = ?");
        begun = dialect.sql("SELECT 1 FROM pawl_step WHERE job_id = ? AND place > 0 LIMIT 1");
        ended = dialect.sql("SELECT state FROM pawl_job_history WHERE id = ? " + dialect.currentRead());
    }

    /**
     * {@return whether a job has not begun, nor sleeps or waits for a signal after it has; then nobody can claim it before this transaction ends} One that stays locked counts as
     * begun: its handler may be in a transaction, and to wait for its end would help nobody.
     */
    boolean waits(Connection connection, long id) throws SQLException {
        for (int tries = 1; tries <= TRIES; tries++) {
            int seen = state(connection, live, id); // first, because InnoDB may keep a lock on what it only looked at
            if (seen > JobState.AVAILABLE.code()) {
                return false;
            }
            if (state(connection, lock, id) == JobState.AVAILABLE.code()) {
                if (state(connection, begun, id) >= 0) {
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
            Pauses.pause(tries);
        }
        return false;
    }

    /** {@return whether a job has ended in a way that leaves its key taken} */
    boolean blocks(Connection connection, long id, UniqueWhile scope) throws SQLException {
        return switch (scope) {
            case WAITING, LIVE -> false;
            case LIVE_OR_DISCARDED -> state(connection, ended, id) == JobState.DISCARDED.code();
            case KEPT -> state(connection, ended, id) >= 0;
        };
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
