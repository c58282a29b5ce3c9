package dev.pawl.internal.settle;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Writes results and the progress of batches in the transaction in which jobs finish. */
@FunctionalInterface
public interface CompletionHook {
    /** Writes nothing. For jobs whose results and batches are written in another place. */
    CompletionHook NONE = (connection, ended) -> {};

    /**
     * Called last in the transaction, because it locks rows of batches, and every transaction locks rows of jobs first.
     *
     * @param connection in the transaction
     * @param ended the finished jobs; plain jobs are skipped
     * @throws SQLException from the driver
     */
    void afterCompletion(Connection connection, List<FinishedJob> ended) throws SQLException;

    /**
     * {@return a variant that throws {@link HookBusy} instead of waiting for long, for callers that would make other jobs wait, too}
     */
    default CompletionHook withoutWaiting() {
        return this;
    }
}
