package dev.pawl.internal.store;

import dev.pawl.Retention;
import java.sql.SQLException;

/** What has to be done regularly so that the tables stay small. Thread-safe. */
@FunctionalInterface
public interface Maintenance {
    /**
     * Deletes what has outlived its retention, in small transactions, until nothing is left or the thread is interrupted.
     *
     * @param retention how long each state is kept
     */
    void prune(Retention retention) throws SQLException;
}
