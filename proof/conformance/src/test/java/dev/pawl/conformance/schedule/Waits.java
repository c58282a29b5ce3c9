package dev.pawl.conformance.schedule;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Tells whether a call waits in the database for a lock of another actor, which then has to run first. It queries the database instead of
 * guessing from the duration of the call, so the same seed gives the same schedule on a busy machine.
 */
@FunctionalInterface
interface Waits {
    /**
     * @param connection on which the call was made; the call may have returned since
     */
    boolean isWaiting(Connection connection) throws SQLException;
}
