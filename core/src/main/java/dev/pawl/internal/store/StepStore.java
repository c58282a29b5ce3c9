package dev.pawl.internal.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Stores the steps of jobs. A run locks its job's row under its lease before it writes; a sender of a signal may insert a row without that
 * lock. Thread-safe.
 */
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
