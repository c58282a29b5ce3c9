package dev.pawl.internal.retention;

import dev.pawl.internal.feature.JobLink;
import dev.pawl.internal.feature.OrphanPolicy;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.place.JobPlaces;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Deletes rows that nothing else deletes, such as those whose jobs were deleted. Scans a table in the order of a key, slice by slice, and
 * keeps its position, so that the next scan continues there and does not read the same rows again.
 */
final class OrphanRows {
    private static final int SLICE = 900;

    /** Condition on {@code t} that selects rows without a job. */
    static final String NO_JOB = noJob("job_id");

    /** Uses scalar subqueries, because a planner may turn NOT EXISTS into a join that reads all jobs. */
    private static String noJob(String jobColumn) {
        String id = "t." + jobColumn;
        return " AND (SELECT 1 FROM pawl_job j WHERE j.id = " + id + " LIMIT 1) IS NULL"
                + " AND (SELECT 1 FROM pawl_job_history h WHERE h.id = " + id + " LIMIT 1) IS NULL"
                + JobPlaces.sql().stream()
                        .map(place -> " AND NOT " + place.holds(id))
                        .collect(Collectors.joining());
    }

    private final Database database;
    private final Duration grace;
    private final Sql slice;
    private final Sql orphans;
    private final String delete;
    private final String key;
    private long place;

    /**
     * @param table to scan
     * @param key the first column of an index
     * @param moment the column with the age
     * @param grace minimum age of the newest row of a key
     * @param condition on {@code t}, beginning with AND
     */
    OrphanRows(Database database, String table, String key, String moment, Duration grace, String condition) {
        this.database = database;
        this.grace = grace;
        this.key = key;
        Dialect dialect = database.dialect();
        slice = dialect.planned(dialect.steps(table, "", key, "1 = 1", SLICE).sql());
        orphans = dialect.planned(
                "SELECT t." + key + " FROM " + table + " t WHERE t." + key + " > ? AND t." + key + " <= ?" + condition
                        + " GROUP BY t." + key + " HAVING MAX(t." + moment + ") <= " + dialect.nowPlusMicros());
        delete = "DELETE FROM " + table + " WHERE ";
    }

    /**
     * Scans for rows of a link whose jobs were deleted.
     *
     * @param link to the table
     * @param sweep tells the age of a row
     * @param grace minimum age of the newest row of a job: a job that was just enqueued or moved may not be visible yet
     */
    static OrphanRows withoutJob(Database database, JobLink link, OrphanPolicy.Sweep sweep, Duration grace) {
        return new OrphanRows(
                database, link.table(), link.jobColumn(), sweep.momentColumn(), grace, noJob(link.jobColumn()));
    }

    /**
     * Scans until it has scanned the whole table, or has found nothing in some consecutive slices, or the thread is
     * interrupted.
     *
     * @param maxEmptySlices after this number of consecutive slices with nothing to delete, the scan pauses
     */
    void prune(int maxEmptySlices) throws SQLException {
        long start = place;
        boolean around = false;
        int emptySlices = 0;
        while (emptySlices < maxEmptySlices
                && !(around && place >= start)
                && !Thread.currentThread().isInterrupted()) {
            List<Long> next = database.autocommit(
                    connection -> slice.on(connection, place).longs());
            if (next.isEmpty()) {
                if (around || start == 0) {
                    place = 0;
                    return;
                }
                around = true;
                place = 0;
                continue;
            }
            long last = next.get(next.size() - 1);
            emptySlices = delete(last) ? 0 : emptySlices + 1;
            place = last;
        }
    }

    /** Deletes rows up to a key. Returns false if there are none. A plain read comes first, because usually there are none. */
    private boolean delete(long last) throws SQLException {
        List<Long> ids = database.autocommit(connection ->
                orphans.on(connection, place, last, -Micros.of(grace)).longs());
        if (ids.isEmpty()) {
            return false;
        }
        Dialect dialect = database.dialect();
        Sql sql = dialect.planned(delete + dialect.anyOf(key, ids.size()));
        int unused = database.transaction(connection -> sql.on(connection, ids).update());
        return true;
    }
}
