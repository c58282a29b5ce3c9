package dev.pawl.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Statements on one connection.
 *
 * @param <T> the answer
 */
@FunctionalInterface
public interface SqlWork<T> {
    /**
     * @param connection to work on; not to be closed
     * @return the answer
     * @throws SQLException from the driver
     */
    T on(Connection connection) throws SQLException;
}
