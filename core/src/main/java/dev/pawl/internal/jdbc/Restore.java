package dev.pawl.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Gives a connection the state back that it had when the pool lent it. */
final class Restore {
    private Restore() {}

    /** What sets something back. */
    interface Step {
        void run() throws SQLException;
    }

    /** A dead connection cannot be restored; the pool finds out when it is given back. */
    static void unlessDead(Connection connection, Step step) throws SQLException {
        if (!connection.isClosed()) {
            try {
                step.run();
            } catch (SQLException broken) {
                if (!Fault.of(broken).isOutage()) {
                    throw broken;
                }
            }
        }
    }
}
