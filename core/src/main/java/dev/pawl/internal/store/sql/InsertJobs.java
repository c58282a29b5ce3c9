package dev.pawl.internal.store.sql;

import dev.pawl.JobRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;

/** How a database writes new rows of {@code pawl_job}. */
public interface InsertJobs {
    /** Writes jobs without unique keys; answers their ids in order. */
    List<Long> insert(Connection connection, List<JobRequest> jobs) throws SQLException;

    /** Writes a job with a unique key; empty if a live job has it. Must not spoil the caller's transaction. */
    OptionalLong insertUnique(Connection connection, JobRequest job) throws SQLException;
}
