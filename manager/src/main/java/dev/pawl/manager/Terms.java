package dev.pawl.manager;

import java.time.Duration;

/**
 * Everything that follows from the heartbeat. A worker that has not been able to renew for three heartbeats stops its
 * run; the database waits for one more before the job may run again: the time that stopping may take.
 *
 * @param heartbeat how often a worker renews its runs
 */
record Terms(Duration heartbeat) {
    /** {@return how long a worker may go on after sending a renewal that succeeded} */
    Duration promise() {
        return heartbeat.multipliedBy(3);
    }

    /** {@return how long the lease in the database lasts after that renewal} */
    Duration lease() {
        return heartbeat.multipliedBy(4);
    }
}
