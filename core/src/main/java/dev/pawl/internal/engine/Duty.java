package dev.pawl.internal.engine;

import java.sql.SQLException;
import java.time.Duration;

/**
 * Work beside the main path, done repeatedly.
 *
 * @param name what it does, as in "cannot …"
 * @param every the pause between two runs
 * @param work to do
 */
record Duty(String name, Duration every, Work work) {
    /** Work to repeat; if it fails, it is tried again after the pause. */
    interface Work {
        void run() throws SQLException;
    }
}
