package dev.pawl.internal.database.sqlite;

import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.schema.SchemaRules;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Protects migrations by the write lock of the file. */
final class SqliteSchema implements SchemaRules {
    private static final int ERROR = 1;

    @Override
    public void prepare(Connection connection) throws SQLException {
        executePatiently(connection, "PRAGMA journal_mode = WAL");
    }

    @Override
    public void lock(Connection connection) throws SQLException {
        executePatiently(connection, "BEGIN IMMEDIATE");
    }

    private static void executePatiently(Connection connection, String sql) throws SQLException {
        connection.setAutoCommit(true);
        try (Statement statement = connection.createStatement()) {
            int before = busyTimeout(statement);
            statement.execute("PRAGMA busy_timeout = 30000");
            try {
                statement.execute(sql);
            } finally {
                statement.execute("PRAGMA busy_timeout = " + before);
            }
        }
    }

    private static int busyTimeout(Statement statement) throws SQLException {
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

    /** There is no error code for this; a plain SELECT has no other reason for a general error. */
    @Override
    public boolean isMissingTable(SQLException error) {
        return Fault.of(error) == Fault.MISSING_TABLE || (error.getErrorCode() & 0xff) == ERROR;
    }

    @Override
    public boolean isDone(SQLException error) {
        return false; // an incomplete step was rolled back
    }
}
