package dev.pawl.internal.database.sqlite;

import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.schema.SchemaRules;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The write lock of the file. The journal mode cannot be changed inside a transaction. */
final class SqliteSchema implements SchemaRules {
    private static final int ERROR = 1;

    @Override
    public void lock(Connection connection) throws SQLException {
        connection.setAutoCommit(true);
        try (Statement statement = connection.createStatement()) {
            int before = patience(statement);
            statement.execute("PRAGMA busy_timeout = 30000");
            try {
                statement.execute("PRAGMA journal_mode = WAL");
                statement.execute("BEGIN IMMEDIATE");
            } finally {
                statement.execute("PRAGMA busy_timeout = " + before);
            }
        }
    }

    private static int patience(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("PRAGMA busy_timeout")) {
            return row.next() ? row.getInt(1) : 0;
        }
    }

    @Override
    public void unlock(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("COMMIT");
        }
    }

    @Override
    public void abandon(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("ROLLBACK");
        }
    }

    /** There is no code for this; a general error from a plain SELECT cannot be anything else. */
    @Override
    public boolean isMissingTable(SQLException error) {
        return Fault.of(error) == Fault.MISSING_TABLE || (error.getErrorCode() & 0xff) == ERROR;
    }

    @Override
    public boolean isDone(SQLException error) {
        return false; // what came to no end was rolled back
    }
}
