package dev.pawl.internal.enqueue;

import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Delays between tries while another transaction holds the same unique key. */
final class RetryPause {
    private RetryPause() {}

    /** Waits for a few milliseconds at most. */
    static void pause(int tries) throws SQLException {
        long most = TimeUnit.MICROSECONDS.toNanos(500) << Math.min(tries, 5);
        try {
            TimeUnit.NANOSECONDS.sleep(ThreadLocalRandom.current().nextLong(most / 4, most));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted while waiting for a job with the same unique key", "57014", e);
        }
    }
}
