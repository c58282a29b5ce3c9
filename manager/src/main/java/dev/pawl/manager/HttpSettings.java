package dev.pawl.manager;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Settings shared by a manager's HTTP channels.
 *
 * @param secret shared with the workers
 * @param callback where workers reach this manager
 * @param realm identifies the installation, see {@link dev.pawl.spi.RemoteRuns#realm}; available once the database responds
 * @param heartbeat how often workers renew
 * @param answer how long a worker may take to respond
 */
record HttpSettings(Secret secret, String callback, Supplier<String> realm, Duration heartbeat, Duration answer) {
    /** The header in which a manager sends its own URL with each health check. */
    static final String CALLBACK_HEADER = "Pawl-Callback";

    private static final Duration MAX_POLL_TIMEOUT = Duration.ofSeconds(5);

    /** {@return how long a worker may take to report its state} */
    Duration pollTimeout() {
        return answer.compareTo(MAX_POLL_TIMEOUT) < 0 ? answer : MAX_POLL_TIMEOUT;
    }
}
