package dev.pawl.internal.feature;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.store.WorkerContext;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/**
 * What the duties of a feature may use.
 *
 * @param database the pool and the dialect; its statements are limited in time
 * @param notice reaches workers
 * @param worker that runs the duties
 */
public record DutyContext(Database database, Notice notice, WorkerContext worker) {
    /** Notifies workers of jobs that a transaction has made available. */
    @FunctionalInterface
    public interface Notice {
        /**
         * @param connection in the transaction
         * @param queues of the jobs
         * @throws SQLException from the driver
         */
        void send(Connection connection, Set<String> queues) throws SQLException;
    }
}
