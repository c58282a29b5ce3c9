package dev.pawl.internal.store;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * The fence of a run whose job has no row of its own: a row that the run's transaction inserts first. The commit of that transaction
 * completes the job. Until then, any other transaction that would rescue, cancel or move the job waits for this one or fails. Used by the
 * thread of one run.
 */
public interface RunFence extends TransactionMark {
    /**
     * Inserts the row.
     *
     * @param connection in the run's transaction
     * @return false if the lease is lost, or the job has a row of its own
     * @throws SQLException from the driver
     */
    boolean write(Connection connection) throws SQLException;

    /** {@return whether the row is still there} */
    @Override
    boolean isIntact(Connection connection) throws SQLException;

    /**
     * Called when the transaction has ended.
     *
     * @param committed whether the commit was confirmed; false if its reply was lost
     */
    void end(boolean committed);
}
