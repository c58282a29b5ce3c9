package dev.pawl.internal.admin;

import dev.pawl.api.DatabaseException;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.jdbc.SqlWork;
import dev.pawl.internal.wake.WakeHub;
import java.sql.SQLException;

/**
 * Runs the database work of administration. Every method takes a description for messages, and wraps the driver's error in a {@link
 * DatabaseException}. Thread-safe.
 *
 * @param database the pool and the dialect
 * @param wakes notifies idle workers of changes
 */
public record AdminCalls(Database database, WakeHub wakes) {
    /** {@return what the work returns, on a connection in autocommit mode} */
    <T> T read(String failure, SqlWork<T> work) {
        return run(failure, () -> database.autocommit(work));
    }

    /** {@return what the work returns} */
    <T> T run(String failure, Failures.Call<T> work) {
        return Failures.wrapped(failure, work);
    }

    /** {@return what the work returns} Then notifies idle workers, because they may have something to do. */
    <T> T change(String failure, Failures.Call<T> work) {
        T result = run(failure, work);
        wakes.changed();
        return result;
    }

    /**
     * {@return what the work returns, in a transaction that is repeated after a conflict} The repeated transaction sees what the
     * conflicting claim, retry or enqueue has committed.
     */
    <T> T retried(SqlWork<T> work) throws SQLException {
        return database.racing(work);
    }

    /** {@return a limit that is at least one} */
    static int positive(String name, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException(name + " " + limit + " is not valid: use 1 or more");
        }
        return limit;
    }
}
