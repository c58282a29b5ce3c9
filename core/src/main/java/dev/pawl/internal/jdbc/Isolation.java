package dev.pawl.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Keeps the library's own statements apart from the isolation level of the pool. At READ UNCOMMITTED they would read what
 * others have not committed: a job would run whose transaction is rolled back. Above READ COMMITTED they would conflict with
 * each other, and with the transactions of handlers. The connections of a pool are alike, so one is asked every few seconds.
 * Thread-safe.
 */
final class Isolation {
    private static final long KNOWN_NANOS = Duration.ofSeconds(5).toNanos();

    private volatile boolean isAsked;
    private volatile long askedNanos;
    private volatile int level;

    /**
     * For statements that commit on their own.
     *
     * @param connection of the pool, between two transactions
     * @return whether it has to be restored
     */
    boolean lift(Connection connection, Dialect dialect) throws SQLException {
        boolean isDirty = dialect.showsUncommitted() && level(connection) == Connection.TRANSACTION_READ_UNCOMMITTED;
        if (isDirty) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
        return isDirty;
    }

    /**
     * For the library's own transactions, each of which then begins with {@link Dialect#seeLatest}.
     *
     * @param connection of the pool, between two transactions
     * @return whether the pool asks for a level at which they would conflict with each other
     */
    boolean isAboveReadCommitted(Connection connection, Dialect dialect) throws SQLException {
        return dialect.failsToSerialize() && level(connection) > Connection.TRANSACTION_READ_COMMITTED;
    }

    private int level(Connection connection) throws SQLException {
        long now = System.nanoTime();
        if (!isAsked || now - askedNanos > KNOWN_NANOS) {
            level = connection.getTransactionIsolation();
            askedNanos = now;
            isAsked = true;
        }
        return level;
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
