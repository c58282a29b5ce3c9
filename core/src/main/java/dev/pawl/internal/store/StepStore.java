package dev.pawl.internal.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Stores the steps of jobs. A caller locks the job's row under the job's lease before it writes. Thread-safe. */
public interface StepStore {
    /** {@return all steps of a job, in any order} */
    List<StepRow> list(long jobId) throws SQLException;

    /** {@return the current state of one step} */
    Optional<StepRow> find(Connection connection, long jobId, StepRow.Name name) throws SQLException;

    /**
     * Inserts a step.
     *
     * @return false if it exists already
     */
    boolean add(Connection connection, long jobId, StepRow row) throws SQLException;

    /** Records the end of a waiting step. */
    void end(Connection connection, long jobId, StepRow row) throws SQLException;
}
