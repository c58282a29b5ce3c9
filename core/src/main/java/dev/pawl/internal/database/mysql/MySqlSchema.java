package dev.pawl.internal.database.mysql;

import dev.pawl.api.SchemaException;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.schema.SchemaRules;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Protects migrations by a lock of the session, because the server commits after each DDL statement. */
final class MySqlSchema implements SchemaRules {
    private static final int WAIT_SECONDS = 120;
    private static final int DUPLICATE_COLUMN = 1060;
    private static final int NOTHING_TO_DROP = 1091;

    private final Dialect dialect;

    MySqlSchema(Dialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public void lock(Connection connection) throws SQLException {
        connection.setAutoCommit(true);
        Sql sql = dialect.statement("SELECT GET_LOCK(?, ?)");
        if (sql.on(connection, name(), WAIT_SECONDS).one(row -> row.getInt(1)) != 1) {
            throw new SchemaException("another program has been migrating the tables " + dialect.prefix() + "* for "
                    + WAIT_SECONDS + " s: wait for it, or find out why it hangs, then start again");
        }
        execute(connection, "SET @pawl_before = @@SESSION.lock_wait_timeout, SESSION lock_wait_timeout = 1");
    }

    @Override
    public void unlock(Connection connection) throws SQLException {
        execute(connection, "SET SESSION lock_wait_timeout = @pawl_before");
        dialect.statement("DO RELEASE_LOCK(?)").on(connection, name()).run();
    }

    @Override
    public void abandon(Connection connection) throws SQLException {
        unlock(connection); // committed statements stay; the next try skips them
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String name() {
        return "migrate " + dialect.prefix();
    }

    @Override
    public boolean isMissingTable(SQLException error) {
        return Fault.of(error) == Fault.MISSING_TABLE;
    }

    /**
     * {@return whether the error says that a column already exists, or that an index is gone} All other kinds of statements in a step can
     * run twice without an error.
     */
    @Override
    public boolean isDone(SQLException error) {
        return error.getErrorCode() == DUPLICATE_COLUMN || error.getErrorCode() == NOTHING_TO_DROP;
    }
}
