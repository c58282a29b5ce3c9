package dev.pawl.internal.admin;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.jdbc.SqlWork;
import java.sql.SQLException;

/** Retries a command that conflicted with a claim or with another job of the same key. The other change is visible to the retry. */
final class ConflictRetry {
    private static final int MOST_TRIES = 50;

    private ConflictRetry() {}

    /** {@return what the work returns, in a transaction} */
    static <T> T transaction(Database database, SqlWork<T> work) throws SQLException {
        for (int tries = 1; ; tries++) {
            try {
                return database.transaction(work);
            } catch (SQLException e) {
                if (tries == MOST_TRIES || Fault.of(e) != Fault.UNIQUE) {
                    throw e;
                }
            }
        }
    }
}
