package dev.pawl.internal.database.postgres;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.schema.SchemaRules;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Runs each migration in a transaction. Its advisory lock ends with the transaction, so it also works behind PgBouncer. */
final class PostgresSchema implements SchemaRules {
    private final Dialect dialect;

    PostgresSchema(Dialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public void lock(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        Sql sql = dialect.statement("SELECT pg_advisory_xact_lock(hashtext('pawl'), hashtext(?))");
        boolean unused = sql.on(connection, dialect.prefix()).exists();
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET LOCAL lock_timeout = '1s'");
        }
    }

    @Override
    public void unlock(Connection connection) throws SQLException {
        connection.commit();
    }

    @Override
    public void abandon(Connection connection) throws SQLException {
        connection.rollback();
    }

    @Override
    public boolean isMissingTable(SQLException error) {
        return Fault.of(error) == Fault.MISSING_TABLE;
    }

    @Override
    public boolean isDone(SQLException error) {
        return false; // an incomplete step was rolled back
    }
}
