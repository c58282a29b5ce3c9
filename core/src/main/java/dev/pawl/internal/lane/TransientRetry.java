package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Fault;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;

/** Retries briefly after a transient fault, so that this worker does not lose jobs that it has already claimed. */
final class TransientRetry {
    private static final int TRIES = 5;
    private static final long FIRST_PAUSE_MILLIS = 20;

    private TransientRetry() {}

    /** A read that may be repeated. */
    interface Read {
        boolean read() throws SQLException;
    }

    static boolean retry(Read read) throws SQLException {
        for (int tries = 1; ; tries++) {
            try {
                return read.read();
            } catch (SQLException e) {
                if (tries == TRIES || !Fault.of(e).isTransient()) {
                    throw e;
                }
                pause(FIRST_PAUSE_MILLIS << tries, e);
            }
        }
    }

    private static void pause(long millis, SQLException failure) throws SQLException {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure.addSuppressed(e);
            throw failure;
        }
    }
}
