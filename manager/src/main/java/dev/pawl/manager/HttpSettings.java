package dev.pawl.manager;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * What a manager's channels over HTTP have in common.
 *
 * @param secret shared with the workers
 * @param callback where workers reach this manager
 * @param realm of the tables, once the database can be asked
 * @param heartbeat how often workers renew
 * @param answer how long a worker may take to respond
 */
record HttpSettings(Secret secret, String callback, Supplier<String> realm, Duration heartbeat, Duration answer) {
    /** The header in which a manager tells workers where it is, whenever it looks at them. */
    static final String CALLBACK_HEADER = "Pawl-Callback";

    private static final Duration LOOK = Duration.ofSeconds(5);

    /** {@return how long a worker may take to report its state} */
    Duration looking() {
        return answer.compareTo(LOOK) < 0 ? answer : LOOK;
    }
}
