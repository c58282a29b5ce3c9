package dev.pawl.internal.store;

import dev.pawl.api.Retention;
import java.sql.SQLException;

/** Regular work that keeps the tables small. Thread-safe. */
@FunctionalInterface
public interface Maintenance {
    /**
     * Deletes rows after their retention, in small transactions, until none is left or the thread is interrupted.
     *
     * @param retention how long each state is kept
     */
    void prune(Retention retention) throws SQLException;
}
