package dev.pawl.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Lets the claims of a lane or a queue wait for each other, where many workers race for its next jobs. Claims are right without it.
 * Thread-safe.
 */
public interface ClaimTurn {
    /**
     * Does not wait.
     *
     * @param connection that executes the claim
     * @param place to claim from, up to 40 characters
     * @return as {@link #await}
     * @throws SQLException from the driver
     */
    boolean isFree(Connection connection, String place) throws SQLException;

    /**
     * Waits while other claims end their turns. A worker that keeps its turn for more than a second may be frozen; then nobody waits for
     * it.
     *
     * @param connection that executes the claim; where it reads from a snapshot, it has none yet
     * @param place to claim from, up to 40 characters
     * @param seconds at most
     * @return whether it is this claim's turn now, and {@link #end} must be called
     * @throws SQLException from the driver
     */
    boolean await(Connection connection, String place, int seconds) throws SQLException;

    /**
     * Ends the turn.
     *
     * @param connection the same
     * @param place the same
     * @throws SQLException from the driver; the connection must not be used again
     */
    void end(Connection connection, String place) throws SQLException;
}
