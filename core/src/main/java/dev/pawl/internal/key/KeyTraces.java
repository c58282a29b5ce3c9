package dev.pawl.internal.key;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.store.JobKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Erases rows of {@code pawl_key} that tell the names of keys whose jobs were erased. */
final class KeyTraces {
    private final Dialect dialect;
    private final KeyNames names;
    private final KeyRows rows;
    private final InFlight inFlight;
    private final String now;

    KeyTraces(Dialect dialect) {
        this.dialect = dialect;
        this.names = new KeyNames(dialect);
        this.rows = new KeyRows(dialect);
        this.inFlight = new InFlight(dialect);
        this.now = dialect.micros(dialect.now());
    }

    /**
     * Searches all queues, because jobs may have been moved since. There is no index by the key alone, but few keys are erased at a time.
     */
    List<JobKey> find(Connection connection, Collection<String> keys) throws SQLException {
        List<JobKey> found = new ArrayList<>();
        String sql = "SELECT queue, job_key FROM pawl_key WHERE queue <> ? AND " + names.anyOf(keys);
        dialect.planned(sql)
                .on(connection, names.of("", keys))
                .each(row -> found.add(new JobKey(row.getString(1), row.getString(2))));
        return found;
    }

    /** {@return how many rows were deleted} */
    int erase(Connection connection, String queue, SortedSet<String> keys) throws SQLException {
        Set<String> idle = new TreeSet<>();
        Set<String> held = new TreeSet<>();
        lockIdle(connection, queue, keys, idle, held);
        for (Set<String> some : List.of(idle, held)) {
            if (!some.isEmpty()) {
                rows.keysWithJobs(connection, queue, some).forEach(some::remove);
            }
        }
        if (!held.isEmpty()) {
            change(
                    connection,
                    "UPDATE pawl_key SET kept_until = paused_until, next_start_at = 0, next_release_at = 0, cost_backlog = NULL",
                    queue,
                    held);
        }
        return idle.isEmpty() ? 0 : change(connection, "DELETE FROM pawl_key", queue, idle);
    }

    /** Locks the keys, and collects those without jobs in flight. Waits for releases, which are short. */
    private void lockIdle(
            Connection connection, String queue, SortedSet<String> keys, Set<String> idle, Set<String> held)
            throws SQLException {
        String sql = names.each(
                "job_key, in_flight, CASE WHEN paused_until > " + now + " THEN 1 ELSE 0 END",
                keys,
                "ORDER BY job_key " + dialect.forUpdate());
        Map<String, List<Long>> released = new HashMap<>();
        dialect.planned(sql).on(connection, names.of(queue, keys)).each(row -> {
            String key = row.getString(1);
            (row.getInt(3) == 1 ? held : idle).add(key);
            released.put(key, InFlight.ids(row.getString(2)));
        });
        for (KeyRows.ReleasedJob one : inFlight.read(connection, queue, released)) {
            if (one.isLive()) {
                idle.remove(one.key());
                held.remove(one.key());
            }
        }
    }

    private int change(Connection connection, String what, String queue, Collection<String> keys) throws SQLException {
        Sql sql = dialect.planned(what + " WHERE " + names.rowsOf(keys));
        return sql.on(connection, names.of(queue, keys)).update();
    }
}
