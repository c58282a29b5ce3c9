package dev.pawl.internal.admin;

import dev.pawl.api.Job;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.place.JobPlaces;
import dev.pawl.internal.place.PlaceReads;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All jobs that wait or run, in one scan by ids: a job may change its state or its place during the scan, but it keeps
 * its id, so it is found once. Locks nothing.
 */
public final class LiveJobs {
    private final Database database;
    private final List<PlaceReads> places;
    private final Sql rows;

    /**
     * @param database the pool and the dialect
     */
    public LiveJobs(Database database) {
        Dialect dialect = database.dialect();
        this.database = database;
        places = JobPlaces.reads(dialect);
        // A condition on the state, because completed rows are only marked until they move to the history.
        rows = dialect.statement("SELECT " + JobRows.LIVE + " FROM " + dialect.alongIds("pawl_job")
                + " WHERE id < ? AND " + RowStates.LIVE + " ORDER BY id DESC LIMIT ?");
    }

    /**
     * {@return the next jobs, by descending id; empty if there are no more}
     *
     * @param below only jobs with a smaller id
     * @param limit how many at most
     * @throws SQLException from the driver
     */
    public List<Job> page(long below, int limit) throws SQLException {
        return database.autocommit(connection -> {
            Map<Long, Job> latest = new TreeMap<>(Comparator.reverseOrder());
            // Places are read before rows, so that a job that gets a row after this read is found by its row.
            for (PlaceReads place : places) {
                place.live(connection, below, limit).forEach(job -> latest.put(job.id(), job));
            }
            rows(connection, below, limit).forEach(job -> latest.put(job.id(), job));
            return latest.values().stream().limit(limit).toList();
        });
    }

    private List<Job> rows(Connection connection, long below, int limit) throws SQLException {
        return rows.on(connection, below, limit).list(found -> JobRows.live(database.dialect(), found));
    }
}
