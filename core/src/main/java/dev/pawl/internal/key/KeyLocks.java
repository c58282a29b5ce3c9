package dev.pawl.internal.key;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Locks rows of {@code pawl_key}, and skips those that other transactions have locked. A transaction that releases jobs of a key holds the
 * lock of the key's row.
 */
final class KeyLocks {
    private static final int SOME = 1_000;

    private final Dialect dialect;
    private final KeyNames names;
    private final String now;

    KeyLocks(Dialect dialect) {
        this.dialect = dialect;
        this.names = new KeyNames(dialect);
        this.now = dialect.micros(dialect.now());
    }

    /**
     * The locked keys of a queue.
     *
     * @param keys the keys that are locked now
     * @param held the rest of the pause of each paused key, in microseconds; zero or less if the key's jobs are tried one at a time
     * @param released the released jobs of each key whose row names some
     */
    record Locked(SortedSet<String> keys, Map<String, Long> held, Map<String, List<Long>> released) {}

    /**
     * {@return the keys that are locked now; other transactions have locked the rest} Inserts only rows that it has not found, because on
     * InnoDB an insert locks the row even if it exists already. Simultaneous callers would then all find the row locked.
     */
    Locked lock(Connection connection, String queue, SortedSet<String> keys) throws SQLException {
        Map<String, Long> held = new HashMap<>();
        Map<String, List<Long>> released = new HashMap<>();
        SortedSet<String> locked = find(connection, queue, keys, held, released);
        if (locked.size() < keys.size()) {
            SortedSet<String> rest = new TreeSet<>(keys);
            rest.removeAll(locked);
            rest.removeAll(find(connection, queue, rest, ""));
            if (!rest.isEmpty()) {
                create(connection, queue, rest);
                locked.addAll(find(connection, queue, rest, held, released));
            }
        }
        return new Locked(locked, held, released);
    }

    private SortedSet<String> find(
            Connection connection,
            String queue,
            SortedSet<String> keys,
            Map<String, Long> held,
            Map<String, List<Long>> released)
            throws SQLException {
        String sql = names.each(
                "job_key, CASE WHEN paused_until > 0 THEN paused_until - " + now + " END, in_flight",
                keys,
                dialect.skipLocked());
        SortedSet<String> locked = new TreeSet<>();
        dialect.planned(sql).on(connection, names.of(queue, keys)).each(rows -> {
            locked.add(rows.getString(1));
            long rest = rows.getLong(2);
            if (!rows.wasNull()) {
                held.put(rows.getString(1), rest);
            }
            List<Long> ids = InFlight.ids(rows.getString(3));
            if (!ids.isEmpty()) {
                released.put(rows.getString(1), ids);
            }
        });
        return locked;
    }

    private SortedSet<String> find(Connection connection, String queue, Collection<String> keys, String lock)
            throws SQLException {
        return new TreeSet<>(names.read(connection, names.each("job_key", keys, lock), queue, keys));
    }

    /** {@return the keys that are locked now; keys whose rows name released jobs are left out} */
    SortedSet<String> lockIdle(Connection connection, String queue, SortedSet<String> keys) throws SQLException {
        return find(connection, queue, keys, "AND has_in_flight = 0 " + dialect.skipLocked());
    }

    /** {@return some keys without jobs} */
    List<String> empty(Connection connection, String queue) throws SQLException {
        String sql = "SELECT k.job_key FROM pawl_key k WHERE k.queue = ? AND k.has_in_flight = 0 AND k.kept_until <= "
                + now + " AND " + KeyLines.none(0) + " AND " + KeyLines.none(1) + " LIMIT " + SOME;
        return dialect.planned(sql).on(connection, queue).strings();
    }

    /** Inserts the rows in the order that all transactions use, because an insert may wait for another insert of the same key. */
    private void create(Connection connection, String queue, SortedSet<String> keys) throws SQLException {
        if (dialect.takesLists()) {
            dialect.planned(
                            "INSERT INTO pawl_key (queue, job_key) SELECT queue, job_key FROM"
                                    + " (SELECT ?::text AS queue) AS q, unnest(?::text[]) AS wanted (job_key) ON CONFLICT DO NOTHING")
                    .on(connection, names.of(queue, keys))
                    .run();
        } else {
            int[] unused = dialect.statement(dialect.insertIfMissing("pawl_key (queue, job_key) VALUES (?, ?)"))
                    .batch(connection, keys, key -> Sql.values(queue, key));
        }
    }

    /**
     * Deletes the rows of keys without jobs. A transaction that waits for the lock of such a row inserts it again. The row of a key that
     * has used up its rate stays; the sweep of empty keys deletes it later.
     *
     * @return how many rows were deleted
     */
    int forget(Connection connection, String queue, Collection<String> keys) throws SQLException {
        String sql = "DELETE FROM pawl_key WHERE " + names.rowsOf(keys) + " AND kept_until <= " + now;
        return dialect.planned(sql).on(connection, names.of(queue, keys)).update();
    }
}
