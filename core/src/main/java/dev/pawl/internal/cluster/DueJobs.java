package dev.pawl.internal.cluster;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.QueuePause;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.store.WorkerDirectory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds queues with jobs that may be claimed now, however many queues and jobs there are: one statement goes from one queue, kind and
 * priority to the next along the index of the claim, where the first job of each is the one that is due first; another reads the ends of
 * lanes.
 */
final class DueJobs {
    /** Entries per page: a round of claims waits for it. */
    static final int MOST = 1_000;

    private final Sql rows;
    private final Sql lanes;
    private final Sql lanesUpTo;

    DueJobs(Dialect dialect) {
        rows = dialect.planned(
                "SELECT w.queue, " + isOpen("w.queue") + ", w.due, w.kind FROM (" + dialect.readyPlaces(MOST) + ") w");
        String read = "SELECT n.queue, " + isOpen("n.queue")
                + ", CASE WHEN (SELECT l.id FROM pawl_lane_job l WHERE l.lane = n.id ORDER BY l.lane DESC, l.id DESC LIMIT 1)"
                + " > COALESCE((SELECT r.last_id FROM pawl_lane_range r WHERE r.lane = n.id"
                + " ORDER BY r.lane DESC, r.starts_after DESC LIMIT 1), 0) THEN 1 ELSE 0 END"
                + " FROM pawl_lane n WHERE n.queue > ?";
        String page = " ORDER BY n.queue LIMIT " + MOST;
        lanes = dialect.planned(read + page);
        lanesUpTo = dialect.planned(read + " AND n.queue <= ?" + page);
    }

    private static String isOpen(String queue) {
        return "CASE WHEN " + QueuePause.isOpen(queue) + " THEN 1 ELSE 0 END";
    }

    /** Only the database can compare two names, because the order depends on its collation. */
    WorkerDirectory.Due after(Connection connection, String after, Set<String> kinds) throws SQLException {
        Set<String> due = new TreeSet<>();
        String end =
                read(rows.on(connection, after), due, row -> row.getBoolean(3) && kinds.contains(row.getString(4)));
        Sql.Bound unread = end.isEmpty() ? lanes.on(connection, after) : lanesUpTo.on(connection, after, end);
        String endOfLanes = read(unread, due, row -> row.getInt(3) == 1);
        return new WorkerDirectory.Due(due, endOfLanes.isEmpty() ? end : endOfLanes);
    }

    /** A condition on the current row. */
    private interface Test {
        boolean of(ResultSet row) throws SQLException;
    }

    /**
     * Reads a page.
     *
     * @param due receives the queues with due jobs
     * @return the last queue, if there may be more; it counts as due, because only a part of it may have been read
     */
    private static String read(Sql.Bound read, Set<String> due, Test isDue) throws SQLException {
        return read.query(places -> {
            int many = 0;
            String last = "";
            boolean isOpen = false;
            for (; places.next(); many++) {
                last = places.getString(1);
                isOpen = places.getInt(2) == 1;
                if (isOpen && isDue.of(places)) {
                    due.add(last);
                }
            }
            if (many == MOST && isOpen) {
                due.add(last);
            }
            return many < MOST ? "" : last;
        });
    }
}
