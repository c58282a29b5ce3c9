package dev.pawl.internal.lane;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Lets the claims of a lane wait for each other, where many workers race for its next range. Only a help: claims are right
 * without it. Thread-safe.
 */
public interface ClaimTurn {
    /**
     * Waits for at most a second, because the worker whose turn it is may be frozen.
     *
     * @param connection that commits each statement
     * @param lane to claim from
     * @return whether it is this claim's turn now, and {@link #end} must be called
     * @throws SQLException from the driver
     */
    boolean await(Connection connection, int lane) throws SQLException;

    /**
     * Ends the turn.
     *
     * @param connection the same
     * @param lane the same
     * @throws SQLException from the driver; the connection must not be used again
     */
    void end(Connection connection, int lane) throws SQLException;
}
