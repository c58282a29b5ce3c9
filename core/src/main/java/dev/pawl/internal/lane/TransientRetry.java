package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Fault;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;

/** Retries after a transient fault for a moment, so that jobs that are claimed already are not lost to this worker. */
final class TransientRetry {
    private static final int TRIES = 5;
    private static final long FIRST_PAUSE_MILLIS = 20;

    private TransientRetry() {}

    /** A look at the database. */
    interface Look {
        boolean look() throws SQLException;
    }

    static boolean of(Look look) throws SQLException {
        for (int tries = 1; ; tries++) {
            try {
                return look.look();
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
