package dev.pawl.conformance.schedule;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Tells whether a call waits in the database for what somebody else holds, who has to go on first. Asked, and not guessed
 * from the time that a call takes: so the same seed gives the same schedule on a busy machine.
 */
@FunctionalInterface
interface Waits {
    /**
     * @param connection on which the call was made; it may have returned meanwhile
     */
    boolean isWaiting(Connection connection) throws SQLException;
}
