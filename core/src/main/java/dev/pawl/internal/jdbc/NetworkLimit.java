package dev.pawl.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Limits how long short statements wait for a server that does not respond. Without a limit, a thread waits until the operating system
 * gives up the connection, which may take a quarter of an hour. The limit costs no round trip, because drivers set it on their socket.
 */
final class NetworkLimit {
    private static final int UNCHANGED = -1;

    private final int millis;

    /**
     * @param limit zero for none
     */
    NetworkLimit(Duration limit) {
        this.millis = Math.toIntExact(limit.toMillis());
    }

    /** {@return the value for {@link #restore}} A limit that the application itself has set is left unchanged. */
    int set(Connection connection) {
        if (millis == 0) {
            return UNCHANGED;
        }
        try {
            int before = connection.getNetworkTimeout();
            if (before != 0) {
                return UNCHANGED;
            }
            connection.setNetworkTimeout(Runnable::run, millis);
            return before;
        } catch (SQLException | RuntimeException | AbstractMethodError unsupported) {
            return UNCHANGED;
        }
    }

    void restore(Connection connection, int before) {
        if (before != UNCHANGED) {
            try {
                connection.setNetworkTimeout(Runnable::run, before);
            } catch (SQLException | RuntimeException broken) {
                return; // the pool notices when the connection is returned
            }
        }
    }
}
