package dev.pawl.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Statements on one connection.
 *
 * @param <T> the result
 */
@FunctionalInterface
public interface SqlWork<T> {
    /**
     * @param connection to work on; not to be closed
     * @return the result
     * @throws SQLException from the driver
     */
    T run(Connection connection) throws SQLException;
}
