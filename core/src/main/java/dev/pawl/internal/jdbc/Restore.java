package dev.pawl.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Restores the state that a connection had when the pool lent it. */
public final class Restore {
    private Restore() {}

    /** Restores a setting. */
    public interface Step {
        /** @throws SQLException from the driver */
        void run() throws SQLException;
    }

    /** Runs the step. A dead connection cannot be restored; the pool notices that it is dead when it is returned. */
    static void unlessDead(Connection connection, Step step) throws SQLException {
        if (connection.isClosed()) {
            return;
        }
        SQLException broken = failure(step);
        if (isReconnected(broken)) {
            broken = failure(step); // the driver may have applied the old state to its new session
        }
        if (broken != null && !Fault.of(broken).isOutage()) {
            throw broken;
        }
    }

    /**
     * Runs the step after a failure. Errors of the step are added to the failure. A connection that cannot be restored is discarded.
     *
     * @param failure to throw afterwards
     * @param connection of the pool
     * @param step restores a setting; run again if its first run failed because of contention
     * @return the error of the step, if it means that the transaction is lost; otherwise null
     */
    public static @Nullable SQLException after(Throwable failure, Connection connection, Step step) {
        SQLException broken = failure(step);
        SQLException lost =
                broken != null && (Fault.of(broken).isContention() || isReconnected(broken)) ? broken : null;
        if (lost != null) {
            failure.addSuppressed(lost);
            broken = isReconnected(lost) ? null : failure(step);
        }
        if (broken != null) {
            failure.addSuppressed(broken);
            if (!isReconnected(broken) && !isReconnected(failure)) { // otherwise the session is a new one
                UselessConnections.discard(connection, failure);
            }
        }
        return lost;
    }

    private static @Nullable SQLException failure(Step step) {
        try {
            step.run();
            return null;
        } catch (SQLException broken) {
            return broken;
        } catch (RuntimeException broken) {
            return new SQLException("cannot restore a setting", broken);
        }
    }

    private static boolean isReconnected(@Nullable Throwable failure) {
        return failure instanceof SQLException error && Fault.of(error) == Fault.RECONNECTED;
    }
}
