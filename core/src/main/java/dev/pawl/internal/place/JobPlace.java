package dev.pawl.internal.place;

import dev.pawl.admin.Finding;
import dev.pawl.api.Strategy;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * A place in which jobs are stored, other than the tables {@code pawl_job} and {@code pawl_job_history}. In these tables, each job has a
 * row of its own. The jobs of a place have no such rows, and are available, running or completed. If anything else happens to a job, the
 * job first gets such a row and so leaves the place. The kernel knows places only by this interface. An implementation is named in {@code
 * META-INF/services/dev.pawl.internal.place.JobPlace} and has a constructor without parameters. Thread-safe.
 */
public interface JobPlace {
    /** {@return the SQL that this place contributes to statements that read several places} */
    PlaceSql sql();

    /** {@return the reads that list its jobs} */
    PlaceReads reads(Dialect dialect);

    /** {@return the counts of its jobs} */
    PlaceCounts counts(Dialect dialect);

    /** {@return the reads of long runs} */
    PlaceRuns runs(Dialect dialect);

    /** {@return a new counter of jobs that complete} */
    PlaceProgress progress(Dialect dialect);

    /** {@return the commands for single jobs} */
    PlaceCommands commands(Dialect dialect);

    /**
     * {@return the current parts of the place}
     *
     * @throws SQLException from the driver
     */
    List<PlacePart> parts(Database database) throws SQLException;

    /** {@return a new scan for jobs whose retention has expired} */
    PlacePruner pruner(Database database);

    /**
     * {@return what an operator should know about the place}
     *
     * @throws SQLException from the driver
     */
    List<Finding> findings(Database database) throws SQLException;

    /**
     * Called when the strategy of a queue is set.
     *
     * @param connection in the transaction that sets it
     * @param dialect of the database
     * @param queue whose strategy is set, which decides whether new jobs may come here
     * @param strategy the new strategy
     * @throws SQLException from the driver
     */
    void strategySet(Connection connection, Dialect dialect, String queue, Strategy strategy) throws SQLException;
}
