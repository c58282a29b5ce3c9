package dev.pawl.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Lets the claims of a lane or a queue wait for each other, where many workers race for its next jobs. Claims are right without it.
 * Thread-safe.
 */
public interface ClaimTurn {
    /**
     * {@return for how long a turn may be awaited: with many workers some seconds pass before it is theirs, and claims that race instead
     * would slow down those that wait; 0 for none}
     *
     * @param lease of the claimed jobs, of which the wait is a small part
     */
    static int seconds(Duration lease) {
        return (int) Math.min(3, lease.toSeconds() / 4);
    }

    /**
     * Does not wait.
     *
     * @param connection that executes the claim
     * @param place to claim from, up to 40 characters
     * @return whether it is this claim's turn now, and {@link #end} must be called
     * @throws SQLException from the driver
     */
    boolean isFree(Connection connection, String place) throws SQLException;

    /** The answer to a claim that waits for its turn. */
    enum Answer {
        /** It is this claim's turn, and {@link #end} must be called. */
        OURS,
        /** Other claims had their turns during the wait. */
        BUSY,
        /** There are no turns, or the same worker kept its turn during the wait: it may be frozen, and claims must not wait for it. */
        NONE
    }

    /**
     * Waits while other claims end their turns, in one wait: who waits again is the last of all.
     *
     * @param connection that executes the claim; where it reads from a snapshot, it has none yet
     * @param place to claim from, up to 40 characters
     * @param seconds at most
     * @return whether it is this claim's turn now
     * @throws SQLException from the driver
     */
    Answer await(Connection connection, String place, int seconds) throws SQLException;

    /**
     * Ends the turn.
     *
     * @param connection the same
     * @param place the same
     * @throws SQLException from the driver; the connection must not be used again
     */
    void end(Connection connection, String place) throws SQLException;
}
