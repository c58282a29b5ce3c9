package dev.pawl.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Lets the claims of many workers take turns at a lane or a queue, instead of racing for its next jobs. Claims are correct without turns,
 * too. Thread-safe.
 */
public interface ClaimTurn {
    /**
     * {@return for how many seconds a claim may wait for its turn; 0 if it must not wait} With many workers it takes some seconds to get
     * the turn, and claims that gave up and raced would slow down the waiting ones.
     *
     * @param lease of the claimed jobs; the wait is a small part of it
     */
    static int seconds(Duration lease) {
        return (int) Math.min(3, lease.toSeconds() / 4);
    }

    /**
     * Takes the turn if it is free, without waiting.
     *
     * @param connection that executes the claim
     * @param place to claim from, up to 40 characters
     * @return whether it is this claim's turn now, and {@link #end} must be called
     * @throws SQLException from the driver
     */
    boolean tryTake(Connection connection, String place) throws SQLException;

    /** The answer to a claim that waits for its turn. */
    enum Answer {
        /** It is this claim's turn, and {@link #end} must be called. */
        OURS,
        /** Other claims had the turn during the wait. */
        BUSY,
        /**
         * The server has no turns, or the same worker kept its turn during the whole wait. That worker may be frozen, so claims must not
         * wait for it.
         */
        NONE
    }

    /**
     * Waits while other claims end their turns. It is a single wait, because a claim that waits again goes to the end of the line.
     *
     * @param connection that executes the claim; its transaction must not have a snapshot yet
     * @param place to claim from, up to 40 characters
     * @param seconds the longest wait
     * @return whether it is this claim's turn now
     * @throws SQLException from the driver
     */
    Answer await(Connection connection, String place, int seconds) throws SQLException;

    /**
     * Ends the turn.
     *
     * @param connection the connection that has the turn
     * @param place the place of the turn
     * @throws SQLException from the driver; the connection must not be used again
     */
    void end(Connection connection, String place) throws SQLException;
}
