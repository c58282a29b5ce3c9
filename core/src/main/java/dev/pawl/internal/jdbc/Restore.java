package dev.pawl.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Restores the state that a connection had when the pool lent it. */
final class Restore {
    private Restore() {}

    /** Restores a setting. */
    interface Step {
        void run() throws SQLException;
    }

    /** Runs the step. A dead connection cannot be restored; the pool notices that it is dead when it is returned. */
    static void unlessDead(Connection connection, Step step) throws SQLException {
        if (!connection.isClosed()) {
            try {
                step.run();
            } catch (SQLException broken) {
                Fault fault = Fault.of(broken);
                if (fault == Fault.RECONNECTED) {
                    step.run(); // the driver may have taken the old state over
                } else if (!fault.isOutage()) {
                    throw broken;
                }
            }
        }
    }
}
