package dev.pawl.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;

/**
 * Isolates the library's own statements from the isolation level of the pool. At READ UNCOMMITTED they would read uncommitted rows, and a
 * job could run although its enqueue is then rolled back. Above READ COMMITTED they would conflict with one another, and with the
 * transactions of handlers. Thread-safe.
 */
final class Isolation {
    static final String READS_ONLY =
            "this queue only reads, see JobQueueBuilder.readOnly: use the queue of the primary";

    private final PoolSample<Integer> level = new PoolSample<>();
    private final boolean readOnly;

    /** @param readOnly whether all statements only read */
    Isolation(boolean readOnly) {
        this.readOnly = readOnly;
    }

    /** {@return whether all statements only read} */
    boolean isReadOnly() {
        return readOnly;
    }

    /**
     * Called before statements that write.
     *
     * @throws SQLFeatureNotSupportedException if all statements only read; trying again does not help
     */
    void requireWritable() throws SQLFeatureNotSupportedException {
        if (readOnly) {
            throw new SQLFeatureNotSupportedException(READS_ONLY);
        }
    }

    /**
     * Runs statements that commit on their own, at an isolation level at which they see no uncommitted rows.
     *
     * @param connection of the pool, between two transactions
     */
    <T> T committedOnly(Connection connection, Dialect dialect, SqlWork<T> work) throws SQLException {
        return withoutUncommitted(connection, dialect, readOnly ? session -> dialect.readOnly(session, work) : work);
    }

    private <T> T withoutUncommitted(Connection connection, Dialect dialect, SqlWork<T> work) throws SQLException {
        if (!dialect.showsUncommitted() || level(connection) != Connection.TRANSACTION_READ_UNCOMMITTED) {
            return work.run(connection);
        }
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        try {
            return work.run(connection);
        } finally {
            Restore.unlessDead(
                    connection, () -> connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED));
        }
    }

    /**
     * Tells whether each of the library's own transactions must begin with {@link Dialect#seeLatest}.
     *
     * @param connection of the pool, between two transactions
     * @return whether the pool sets a level at which these transactions would conflict with one another
     */
    boolean isAboveReadCommitted(Connection connection, Dialect dialect) throws SQLException {
        return dialect.failsToSerialize() && level(connection) > Connection.TRANSACTION_READ_COMMITTED;
    }

    private int level(Connection connection) throws SQLException {
        return level.value(connection::getTransactionIsolation);
    }
}
