package dev.pawl.internal.settle;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.store.TransactionMark;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A savepoint before the statements of a handler, which a rollback of the whole transaction removes. It is set by SQL, because the wrappers
 * of some pools refuse {@link Connection#setSavepoint}.
 */
public final class RunSavepoint {
    private static final String NAME = "pawl_run";

    private RunSavepoint() {}

    /** Sets the savepoint, unless the database keeps a transaction after each error. */
    public static TransactionMark set(Connection connection, Dialect dialect) throws SQLException {
        if (!dialect.losesTransactions()) {
            return unused -> true;
        }
        execute(connection, "SAVEPOINT " + NAME);
        return RunSavepoint::isReleased;
    }

    private static boolean isReleased(Connection connection) throws SQLException {
        try {
            execute(connection, "RELEASE SAVEPOINT " + NAME);
            return true;
        } catch (SQLException e) {
            if (Fault.of(e) == Fault.OTHER) { // there is no such savepoint
                return false;
            }
            throw e;
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
