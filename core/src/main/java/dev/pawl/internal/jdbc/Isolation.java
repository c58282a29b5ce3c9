package dev.pawl.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Isolates the library's own statements from the isolation level of the pool. At READ UNCOMMITTED they would read
 * uncommitted rows: a job would run whose transaction is rolled back. Above READ COMMITTED they would conflict with one
 * another, and with the transactions of handlers. Thread-safe.
 */
final class Isolation {
    private final PoolSample<Integer> level = new PoolSample<>();

    /**
     * Runs statements that commit on their own, so that they do not see uncommitted rows.
     *
     * @param connection of the pool, between two transactions
     */
    <T> T committedOnly(Connection connection, Dialect dialect, SqlWork<T> work) throws SQLException {
        if (!dialect.showsUncommitted() || level(connection) != Connection.TRANSACTION_READ_UNCOMMITTED) {
            return work.on(connection);
        }
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        try {
            return work.on(connection);
        } finally {
            Restore.unlessDead(
                    connection, () -> connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED));
        }
    }

    /**
     * For the library's own transactions, each of which then begins with {@link Dialect#seeLatest}.
     *
     * @param connection of the pool, between two transactions
     * @return whether the pool sets a level at which they would conflict with one another
     */
    boolean isAboveReadCommitted(Connection connection, Dialect dialect) throws SQLException {
        return dialect.failsToSerialize() && level(connection) > Connection.TRANSACTION_READ_COMMITTED;
    }

    private int level(Connection connection) throws SQLException {
        return level.value(connection::getTransactionIsolation);
    }
}
