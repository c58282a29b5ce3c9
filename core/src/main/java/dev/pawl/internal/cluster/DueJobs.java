package dev.pawl.internal.cluster;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.QueuePause;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.place.JobPlaces;
import dev.pawl.internal.place.PlaceSql;
import dev.pawl.internal.store.WorkerDirectory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds queues with jobs that may be claimed now, without reading all jobs. One statement steps through the index of the claim, from one
 * queue, kind and priority to the next, and reads only the first job of each, due or not. Each place of jobs besides the tables of rows
 * takes one more statement.
 */
final class DueJobs {
    /** Maximum of entries in a page. It is limited because a round of claims waits for the page. */
    static final int MAX = 1_000;

    private final Sql rows;
    private final List<Page> places;

    DueJobs(Dialect dialect) {
        rows = dialect.planned(
                "SELECT w.queue, " + isOpen("w.queue") + ", w.due, w.kind FROM (" + dialect.readyPlaces(MAX) + ") w");
        places = JobPlaces.sql().stream()
                .map(place -> Page.of(dialect, place.due()))
                .toList();
    }

    /** The statements for the next queues of a place: one for all of them, and one for those up to a given queue. */
    private record Page(Sql all, Sql upTo) {
        static Page of(Dialect dialect, PlaceSql.Due due) {
            String read = "SELECT " + due.queue() + ", " + isOpen(due.queue()) + ", " + due.isDue() + " FROM "
                    + due.from() + " WHERE " + due.queue() + " > ?";
            String order = " ORDER BY " + due.queue() + " LIMIT " + MAX;
            return new Page(
                    dialect.planned(read + order), dialect.planned(read + " AND " + due.queue() + " <= ?" + order));
        }
    }

    private static String isOpen(String queue) {
        return "CASE WHEN " + QueuePause.isOpen(queue) + " THEN 1 ELSE 0 END";
    }

    /**
     * {@return the due queues after a name} Only the database can compare two names, because the order depends on its
     * collation.
     */
    WorkerDirectory.Due after(Connection connection, String after, Set<String> kinds) throws SQLException {
        Set<String> due = new TreeSet<>();
        String end =
                read(rows.on(connection, after), due, row -> row.getBoolean(3) && kinds.contains(row.getString(4)));
        for (Page page : places) {
            Sql.Bound unread = end.isEmpty() ? page.all.on(connection, after) : page.upTo.on(connection, after, end);
            String before = read(unread, due, row -> row.getInt(3) == 1);
            end = before.isEmpty() ? end : before;
        }
        return new WorkerDirectory.Due(due, end);
    }

    /** A condition on the current row. */
    private interface Test {
        boolean test(ResultSet row) throws SQLException;
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
                if (isOpen && isDue.test(places)) {
                    due.add(last);
                }
            }
            if (many == MAX && isOpen) {
                due.add(last);
            }
            return many < MAX ? "" : last;
        });
    }
}
