package dev.pawl.internal.settle;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Writes results and the progress of batches in the transaction in which jobs finish. */
@FunctionalInterface
public interface CompletionHook {
    /** Writes nothing, for jobs whose results and batches are written elsewhere. */
    CompletionHook NONE = (connection, ended) -> {};

    /**
     * Last in the transaction: locks rows of batches, which come after those of jobs.
     *
     * @param connection in the transaction
     * @param ended jobs; plain ones are skipped, and without jobs nothing is written
     * @throws SQLException from the driver
     */
    void afterCompletion(Connection connection, List<FinishedJob> ended) throws SQLException;

    /**
     * {@return a variant for callers that also record runs of other workers: it throws {@link HookBusy} instead of
     * waiting for long}
     */
    default CompletionHook withoutWaiting() {
        return this;
    }
}
