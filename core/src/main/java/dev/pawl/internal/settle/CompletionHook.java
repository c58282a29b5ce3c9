package dev.pawl.internal.settle;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Writes results and the progress of batches in the transaction in which jobs finish. */
@FunctionalInterface
public interface CompletionHook {
    /** For jobs of which something else sees to it. */
    CompletionHook NONE = (connection, ended) -> {};

    /**
     * Last in the transaction: locks rows of batches, which come after those of jobs.
     *
     * @param connection in the transaction
     * @param ended jobs; plain ones are passed by, and for none nothing is done
     * @throws SQLException from the driver
     */
    void of(Connection connection, List<FinishedJob> ended) throws SQLException;

    /** {@return the same for those who have others' outcomes in hand, too: it throws {@link BatchBusy} where this waits for long} */
    default CompletionHook impatient() {
        return this;
    }
}
