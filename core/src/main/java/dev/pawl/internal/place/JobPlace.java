package dev.pawl.internal.place;

import dev.pawl.admin.Finding;
import dev.pawl.api.Strategy;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * A place of jobs besides the tables of rows, {@code pawl_job} and {@code pawl_job_history}: its jobs have no rows of their own. They are
 * available, running or completed there; a job to which anything else happens gets a row first, and has left the place then. The kernel
 * knows places only by this interface. An implementation is named in {@code META-INF/services/dev.pawl.internal.place.JobPlace} and has a
 * constructor without parameters. Thread-safe.
 */
public interface JobPlace {
    /** {@return its parts of statements that read several places} */
    PlaceSql sql();

    /** {@return what lists its jobs} */
    PlaceReads reads(Dialect dialect);

    /** {@return what counts its jobs} */
    PlaceCounts counts(Dialect dialect);

    /** {@return what reads long runs} */
    PlaceRuns runs(Dialect dialect);

    /** {@return a new count of jobs that complete} */
    PlaceProgress progress(Dialect dialect);

    /** {@return what changes single jobs} */
    PlaceCommands commands(Dialect dialect);

    /**
     * {@return the parts that there are now}
     *
     * @throws SQLException from the driver
     */
    List<PlacePart> parts(Database database) throws SQLException;

    /** {@return a new scan for jobs whose retention has expired} */
    PlacePruner pruner(Database database);

    /**
     * {@return what an operator should know of it}
     *
     * @throws SQLException from the driver
     */
    List<Finding> findings(Database database) throws SQLException;

    /**
     * The strategy of a queue is being set.
     *
     * @param connection in the transaction that sets it
     * @param dialect of the database
     * @param queue whose new jobs may come here from now on, or may not
     * @param strategy the new one
     * @throws SQLException from the driver
     */
    void strategySet(Connection connection, Dialect dialect, String queue, Strategy strategy) throws SQLException;
}
