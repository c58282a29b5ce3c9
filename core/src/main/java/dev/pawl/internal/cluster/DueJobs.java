package dev.pawl.internal.cluster;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.QueuePause;
import dev.pawl.internal.store.WorkerDirectory;
import java.sql.Connection;
import java.sql.PreparedStatement;
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
    /** As many places at a time: a round of claims waits for them. */
    static final int MOST = 1_000;

    private final Dialect dialect;
    private final String rows;
    private final String lanes;

    DueJobs(Dialect dialect) {
        this.dialect = dialect;
        rows = dialect.sql("SELECT w.queue, w.kind, w.due AND " + QueuePause.isOpen("w.queue") + " FROM ("
                + dialect.readyPlaces(MOST) + ") w");
        lanes = dialect.sql("SELECT n.queue, CASE WHEN " + QueuePause.isOpen("n.queue")
                + " AND (SELECT l.id FROM pawl_lane_job l WHERE l.lane = n.id ORDER BY l.lane DESC, l.id DESC LIMIT 1)"
                + " > COALESCE((SELECT r.last_id FROM pawl_lane_range r WHERE r.lane = n.id"
                + " ORDER BY r.lane DESC, r.after_id DESC LIMIT 1), 0) THEN 1 ELSE 0 END"
                + " FROM pawl_lane n WHERE n.queue > ? ORDER BY n.queue LIMIT " + MOST);
    }

    WorkerDirectory.Due after(Connection connection, String after, Set<String> kinds) throws SQLException {
        Set<String> due = new TreeSet<>();
        String end = "";
        try (PreparedStatement statement = dialect.planned(connection, rows)) {
            statement.setString(1, after);
            try (ResultSet places = statement.executeQuery()) {
                int many = 0;
                String last = "";
                for (; places.next(); many++) {
                    last = places.getString(1);
                    if (places.getBoolean(3) && kinds.contains(places.getString(2))) {
                        due.add(last);
                    }
                }
                end = many < MOST ? end : last;
            }
        }
        try (PreparedStatement statement = dialect.planned(connection, lanes)) {
            statement.setString(1, after);
            try (ResultSet found = statement.executeQuery()) {
                int many = 0;
                String last = "";
                for (; found.next(); many++) {
                    last = found.getString(1);
                    if (found.getInt(2) == 1) {
                        due.add(last);
                    }
                }
                if (many == MOST && (end.isEmpty() || last.compareTo(end) < 0)) {
                    end = last;
                }
            }
        }
        return new WorkerDirectory.Due(due, end);
    }
}
