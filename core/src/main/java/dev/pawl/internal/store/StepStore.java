package dev.pawl.internal.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** What a job remembers from one run to the next. Thread-safe. Those who write hold the job's row under its token. */
public interface StepStore {
    /** {@return all that a job remembers, in no order} */
    List<StepRow> of(long jobId) throws SQLException;

    /** {@return one of them, as it is now} */
    Optional<StepRow> find(Connection connection, long jobId, StepRow.Name name) throws SQLException;

    /** Writes what there was not before; false if there is such a row. */
    boolean add(Connection connection, long jobId, StepRow row) throws SQLException;

    /** Ends what was waited for. */
    void end(Connection connection, long jobId, StepRow row) throws SQLException;
}
