package dev.pawl.internal.store;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * The fence of a run whose job has no row of its own: a row that the run's transaction inserts first. The commit of that transaction
 * completes the job. Until then, any other transaction that would rescue, cancel or move the job waits for this one or fails. Used by the
 * thread of one run.
 */
public interface RunFence {
    /**
     * Inserts the row.
     *
     * @param connection in the run's transaction
     * @return false if the lease is lost, or the job has a row of its own
     * @throws SQLException from the driver
     */
    boolean write(Connection connection) throws SQLException;

    /**
     * {@return whether the row is still there after the handler's work} MySQL, MariaDB and SQLite roll back a whole transaction after some
     * errors of one statement, such as a deadlock. If the handler goes on, its later writes would be committed without the row.
     *
     * @param connection in the run's transaction
     * @throws SQLException from the driver
     */
    boolean isWritten(Connection connection) throws SQLException;

    /**
     * Called when the transaction has ended.
     *
     * @param committed whether the commit was confirmed; false if its reply was lost
     */
    void end(boolean committed);
}
