package dev.pawl.internal.store.sql;

import dev.pawl.DatabaseException;
import java.sql.SQLException;

/** Turns a driver's error into ours at the border of the library. */
public final class Failures {
    private Failures() {}

    /**
     * Asks the database.
     *
     * @param <T> the answer
     */
    @FunctionalInterface
    public interface Call<T> {
        /**
         * @return the answer
         * @throws SQLException from the driver
         */
        T run() throws SQLException;
    }

    /**
     * @param what is being done, for the message
     * @param call the work
     * @param <T> the answer
     * @return what {@code call} answers
     * @throws DatabaseException instead of the driver's error
     */
    public static <T> T wrapped(String what, Call<T> call) {
        try {
            return call.run();
        } catch (SQLException e) {
            throw new DatabaseException(what, e, Fault.of(e).isTransient());
        }
    }
}
