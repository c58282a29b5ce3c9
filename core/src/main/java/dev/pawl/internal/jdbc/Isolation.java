package dev.pawl.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Keeps statements that commit on their own from reading what others have not committed, whatever the pool says: a job would run
 * whose transaction is rolled back. The connections of a pool are alike, so one is asked every few seconds. Thread-safe.
 */
final class Isolation {
    private static final long KNOWN_NANOS = Duration.ofSeconds(5).toNanos();

    private volatile boolean isAsked;
    private volatile long askedNanos;
    private volatile boolean isDirty;

    /**
     * @param connection of the pool, between two transactions
     * @return whether it has to be restored
     */
    boolean lift(Connection connection, Dialect dialect) throws SQLException {
        if (!dialect.showsUncommitted()) {
            return false;
        }
        long now = System.nanoTime();
        if (!isAsked || now - askedNanos > KNOWN_NANOS) {
            isDirty = connection.getTransactionIsolation() == Connection.TRANSACTION_READ_UNCOMMITTED;
            askedNanos = now;
            isAsked = true;
        }
        if (isDirty) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
        return isDirty;
    }

    /** A dead connection cannot be restored; the pool finds out when it is given back. */
    static void restore(Connection connection) throws SQLException {
        if (!connection.isClosed()) {
            try {
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
            } catch (SQLException broken) {
                if (!Fault.of(broken).isOutage()) {
                    throw broken;
                }
            }
        }
    }
}
