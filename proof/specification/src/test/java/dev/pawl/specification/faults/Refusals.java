package dev.pawl.specification.faults;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Errors as the servers report them. They leave the transaction in the state in which the server would leave it. */
final class Refusals {
    private Refusals() {}

    /** {@return an error of a deadlock or a busy file} The transaction is rolled back, or the client has to roll it back. */
    static SQLException conflict(Connection real) throws SQLException {
        return switch (product(real)) {
            case "PostgreSQL" -> {
                fail(real);
                yield new SQLException("deadlock detected (made up)", "40P01");
            }
            case "SQLite" -> new SQLiteException("the database is locked (made up)", SQLiteErrorCode.SQLITE_BUSY);
            default -> {
                if (!real.getAutoCommit()) {
                    real.rollback();
                }
                yield new SQLException("Deadlock found (made up)", "40001", 1213);
            }
        };
    }

    /** {@return an error of a full disk} The statement has done nothing. */
    static SQLException full(Connection real) throws SQLException {
        return switch (product(real)) {
            case "PostgreSQL" -> {
                fail(real);
                yield new SQLException("could not extend file (made up)", "53100");
            }
            case "SQLite" -> new SQLiteException("database or disk is full (made up)", SQLiteErrorCode.SQLITE_FULL);
            default -> new SQLException("The table is full (made up)", "HY000", 1114);
        };
    }

    /** Ends an open transaction as an error does: PostgreSQL waits for the rollback, the others have rolled it back. */
    static void breakOff(Connection real, boolean atCommit) throws SQLException {
        if (!atCommit && product(real).equals("PostgreSQL")) {
            fail(real);
        } else {
            real.rollback();
        }
    }

    /** After an error PostgreSQL accepts no more statements in the transaction. */
    private static void fail(Connection real) throws SQLException {
        if (!real.getAutoCommit()) {
            try (Statement statement = real.createStatement()) {
                statement.execute("SELECT 1 / 0");
            } catch (SQLException wanted) {
                return;
            }
        }
    }

    private static String product(Connection real) throws SQLException {
        return real.getMetaData().getDatabaseProductName();
    }
}
