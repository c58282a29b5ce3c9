package dev.pawl.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A transaction in which the server refuses to write. It does not use {@link Connection#setReadOnly}, because some drivers do not pass that
 * on to the server. Other drivers set it for the whole session, which behind a pooler outlives the use of the connection.
 */
final class ReadOnlyTransaction {
    private ReadOnlyTransaction() {}

    /**
     * @param begin the first statement, which makes the transaction read-only
     * @param connection in autocommit mode, to which it returns afterwards
     * @param work the statements
     * @param <T> the result
     * @return what {@code work} returns
     * @throws SQLException from the driver
     */
    static <T> T run(String begin, Connection connection, SqlWork<T> work) throws SQLException {
        connection.setAutoCommit(false);
        boolean ends = false;
        try {
            try (Statement statement = connection.createStatement()) {
                statement.execute(begin);
            }
            T result = work.run(connection);
            connection.commit();
            ends = true;
            return result;
        } finally {
            boolean isCommitted = ends;
            Restore.unlessDead(connection, () -> {
                if (!isCommitted) {
                    connection.rollback();
                }
                connection.setAutoCommit(true);
            });
        }
    }
}
