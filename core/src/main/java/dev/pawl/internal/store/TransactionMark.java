package dev.pawl.internal.store;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Shows whether the transaction that a handler got is still open. MySQL, MariaDB and SQLite roll back a whole transaction after some errors
 * of one statement, such as a deadlock. If the handler catches the error and goes on, its later writes are in another transaction. So are
 * the later writes after a statement that commits, such as CREATE TABLE on MySQL, which a savepoint shows and a fence does not.
 */
@FunctionalInterface
public interface TransactionMark {
    /**
     * {@return whether all statements since the mark was set are in one transaction} Called once, after the handler's work.
     *
     * @param connection on which the mark was set
     * @throws SQLException from the driver
     */
    boolean isIntact(Connection connection) throws SQLException;
}
