package dev.pawl.manager;

import java.time.Duration;

/**
 * Durations derived from the heartbeat. A worker that has not renewed for three heartbeats stops its run; the database
 * waits for one more, which leaves time for stopping, before the job may run again.
 *
 * @param heartbeat how often a worker renews its runs
 */
record LeaseTimes(Duration heartbeat) {
    /** {@return how long a worker may continue after sending a successful renewal} */
    Duration promise() {
        return heartbeat.multipliedBy(3);
    }

    /** {@return how long the lease in the database lasts after that renewal} */
    Duration lease() {
        return heartbeat.multipliedBy(4);
    }
}
