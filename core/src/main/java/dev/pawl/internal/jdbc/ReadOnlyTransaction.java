package dev.pawl.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A transaction that the server keeps from writing. Not {@link Connection#setReadOnly}, because some drivers do not report that to the
 * server, or report it for the session, which outlives the use of a connection behind a pooler.
 */
final class ReadOnlyTransaction {
    private ReadOnlyTransaction() {}

    /**
     * @param begin the first statement, which makes the transaction one that only reads
     * @param connection in autocommit mode, in which it is again afterwards
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
