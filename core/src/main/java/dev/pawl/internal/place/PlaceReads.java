package dev.pawl.internal.place;

import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Lists jobs of a place. Leaves out jobs that have moved from the place to rows of their own. Locks nothing. Thread-safe. */
public interface PlaceReads {
    /**
     * {@return a job, if it is here}
     *
     * @throws SQLException from the driver
     */
    Optional<Job> find(Connection connection, long id) throws SQLException;

    /**
     * {@return jobs of each part of the place in turn, by descending id and up to the limit}
     *
     * @param queues to include
     * @param states to include
     * @param conditions on the jobs
     * @param above only jobs with a greater id
     * @param limit maximum number of jobs of a part
     * @param payloads whether to read payloads; if not, they are empty, and the query has the timeout of interactive
     *     queries
     * @throws SQLException from the driver
     */
    List<Job> list(
            Connection connection,
            Predicate<String> queues,
            Predicate<JobState> states,
            Conditions conditions,
            long above,
            int limit,
            boolean payloads)
            throws SQLException;

    /**
     * {@return the greatest id of the jobs that are left out if only the {@code jobs} newest jobs of each part are read; 0 if no job is
     * left out}
     *
     * @param queues to include
     * @param below only jobs with a smaller id
     * @param jobs how many jobs of each part are read
     * @throws SQLException from the driver
     */
    long floor(Connection connection, Predicate<String> queues, long below, int jobs) throws SQLException;

    /**
     * {@return waiting and running jobs with their payloads, by descending id, up to the limit in each part}
     *
     * @param below only jobs with a smaller id
     * @param limit maximum number of jobs of a part
     * @throws SQLException from the driver
     */
    List<Job> live(Connection connection, long below, int limit) throws SQLException;
}
