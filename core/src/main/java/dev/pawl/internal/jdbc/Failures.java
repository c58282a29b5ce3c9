package dev.pawl.internal.jdbc;

import dev.pawl.api.DatabaseException;
import java.sql.SQLException;

/** Turns a driver's error into a {@link DatabaseException} before it leaves the library. */
public final class Failures {
    private Failures() {}

    /**
     * Work that calls the database.
     *
     * @param <T> the result
     */
    @FunctionalInterface
    public interface Call<T> {
        /**
         * @return the result
         * @throws SQLException from the driver
         */
        T run() throws SQLException;
    }

    /**
     * @param what the operation, for the message
     * @param call the work
     * @param <T> the result
     * @return what {@code call} returns
     * @throws DatabaseException instead of the driver's error
     */
    public static <T> T wrapped(String what, Call<T> call) {
        try {
            return call.run();
        } catch (SQLException e) {
            String tls = TlsFailure.advice(e);
            throw new DatabaseException(
                    tls == null ? what : what + ": " + tls, e, Fault.of(e).isTransient());
        }
    }
}
