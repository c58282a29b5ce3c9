package dev.pawl.internal.feature;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/**
 * Notifies workers of jobs that a transaction has made available; the name {@code *} in place of a queue stands for other work.
 */
@FunctionalInterface
public interface Notice {
    /**
     * @param connection in the transaction
     * @param queues of the jobs
     * @throws SQLException from the driver
     */
    void send(Connection connection, Set<String> queues) throws SQLException;
}
