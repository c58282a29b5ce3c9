package dev.pawl.internal.key;

import dev.pawl.Job;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The statements over {@code pawl_keyed}, each for several keys of one queue that are locked. */
final class KeyRows {
    /** Of jobs that have ended, and whose rows are soon swept to the history. */
    private static final int MARKED = 2;

    private static final int BATCH = 500;

    private final Dialect dialect;
    private final KeyNames names;
    private final String now;

    KeyRows(Dialect dialect) {
        this.dialect = dialect;
        this.names = new KeyNames(dialect);
        this.now = dialect.micros(dialect.now());
    }

    /**
     * How jobs of the keys of a queue are let go.
     *
     * @param most how many of each may be under way at once
     * @param ordered whether they go in order, so that one that waits for a retry keeps its place
     */
    record Terms(int most, boolean ordered) {}

    /**
     * @param keys of a turn
     * @return what the limit of the queue's keys says
     */
    Terms terms(Connection connection, String queue, Collection<String> keys) throws SQLException {
        int atOnce;
        int together;
        try (PreparedStatement statement = prepare(
                connection,
                "SELECT COALESCE(at_once, 0), COALESCE(together, 0) FROM pawl_limit WHERE subject = 'keys' AND name = ?")) {
            statement.setString(1, queue);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return new Terms(1, true);
                }
                atOnce = row.getInt(1);
                together = row.getInt(2);
            }
        }
        if (together == 0) {
            return new Terms(Math.max(1, atOnce), atOnce <= 1);
        }
        Set<String> sharing = keysUnderWay(connection, queue);
        sharing.addAll(keys);
        int part = Math.max(1, together / Math.max(1, sharing.size()));
        return new Terms(atOnce == 0 ? part : Math.min(atOnce, part), atOnce == 1);
    }

    /** Each has one at least, so no key that has due jobs is without one for long; those whose jobs wait for their time do not count. */
    private Set<String> keysUnderWay(Connection connection, String queue) throws SQLException {
        Set<String> keys = new HashSet<>();
        try (PreparedStatement statement =
                prepare(connection, "SELECT DISTINCT job_key FROM pawl_keyed WHERE let_go = 1 AND queue = ?")) {
            statement.setString(1, queue);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    keys.add(rows.getString(1));
                }
            }
        }
        return keys;
    }

    /**
     * A job that was let go.
     *
     * @param key its key
     * @param id its id
     * @param isLive whether it has not ended
     * @param runs whether it is running, or may be at any moment
     * @param availableAt when it may be claimed, in microseconds since 1970
     */
    record Gone(String key, long id, boolean isLive, boolean runs, long availableAt) {}

    /** In two steps: a server that joins may read all jobs to find some. */
    List<Gone> letGo(Connection connection, String queue, Collection<String> keys) throws SQLException {
        Map<Long, String> ids = new LinkedHashMap<>();
        String sql =
                "SELECT job_id, job_key FROM pawl_keyed WHERE queue = ? AND " + names.anyOf(keys) + " AND let_go = 1";
        try (PreparedStatement statement = prepare(connection, sql)) {
            int unused = names.bind(statement, queue, keys);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    ids.put(rows.getLong(1), rows.getString(2));
                }
            }
        }
        List<Gone> gone = new ArrayList<>();
        List<Long> all = new ArrayList<>(ids.keySet());
        for (int from = 0; from < all.size(); from += BATCH) {
            gone.addAll(lives(connection, ids, all.subList(from, Math.min(all.size(), from + BATCH))));
        }
        return gone;
    }

    private List<Gone> lives(Connection connection, Map<Long, String> keys, List<Long> ids) throws SQLException {
        String sql = "SELECT id, state, CASE WHEN available_at <= " + dialect.now() + " THEN 1 ELSE 0 END, "
                + dialect.micros("available_at") + " FROM " + dialect.jobsById() + " WHERE "
                + dialect.anyOf("id", ids.size()) + " AND state < " + MARKED;
        Map<Long, Gone> live = new HashMap<>();
        try (PreparedStatement statement = prepare(connection, sql)) {
            int unused = dialect.bindIds(statement, 1, ids);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    long id = rows.getLong(1);
                    boolean runs = rows.getInt(2) == 1 || rows.getInt(3) == 1;
                    live.put(id, new Gone(keys.getOrDefault(id, ""), id, true, runs, rows.getLong(4)));
                }
            }
        }
        return ids.stream()
                .map(id -> live.getOrDefault(id, new Gone(keys.getOrDefault(id, ""), id, false, false, 0)))
                .toList();
    }

    /**
     * Reads as many rows as there is room for, however many are parked and due.
     *
     * @param room for how many jobs of each key
     * @return the ids of those whose turn it is, of each key in order
     */
    Map<String, List<Long>> next(Connection connection, String queue, Map<String, Integer> room) throws SQLException {
        int slots = KeyNames.slots(room.keySet());
        String one = dialect.termOfUnion("SELECT job_key, job_id FROM pawl_keyed WHERE queue = ? AND job_key = ?"
                + " AND let_go = 0 AND due <= " + now + " ORDER BY priority, job_id LIMIT ?");
        Map<String, List<Long>> next = new HashMap<>();
        try (PreparedStatement statement = prepare(connection, one + (" UNION ALL " + one).repeat(slots - 1))) {
            int index = 1;
            for (Map.Entry<String, Integer> each : room.entrySet()) {
                index = bind(statement, index, queue, each.getKey(), each.getValue());
            }
            for (int spare = slots - room.size(); spare > 0; spare--) {
                index = bind(statement, index, queue, "", 0);
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    next.computeIfAbsent(rows.getString(1), key -> new ArrayList<>())
                            .add(rows.getLong(2));
                }
            }
        }
        return next;
    }

    private static int bind(PreparedStatement statement, int index, String queue, String key, int limit)
            throws SQLException {
        statement.setString(index, queue);
        statement.setString(index + 1, key);
        statement.setInt(index + 2, limit);
        return index + 3;
    }

    /** {@return those keys that have jobs} */
    List<String> keysWithJobs(Connection connection, String queue, Collection<String> keys) throws SQLException {
        return names.read(
                connection,
                "SELECT DISTINCT job_key FROM pawl_keyed WHERE queue = ? AND " + names.anyOf(keys),
                queue,
                keys);
    }

    /** {@return how long until the first parked one of each key is due, in microseconds; only of keys that have one} */
    Map<String, Long> untilNext(Connection connection, String queue, Collection<String> keys) throws SQLException {
        String sql = "SELECT job_key, MIN(due), " + now + " FROM pawl_keyed WHERE queue = ? AND " + names.anyOf(keys)
                + " AND let_go = 0 GROUP BY job_key";
        Map<String, Long> wait = new HashMap<>();
        try (PreparedStatement statement = prepare(connection, sql)) {
            int unused = names.bind(statement, queue, keys);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    wait.put(rows.getString(1), Math.max(0, rows.getLong(2) - rows.getLong(3)));
                }
            }
        }
        return wait;
    }

    /** {@return how many of them were parked; the others run, because somebody wanted them to, or are gone} */
    int letGo(Connection connection, List<Long> ids) throws SQLException {
        try (PreparedStatement statement = prepare(
                connection,
                "UPDATE " + dialect.jobsById() + " SET available_at = " + dialect.now() + " WHERE "
                        + dialect.anyOf("id", ids.size()) + " AND state = 0")) {
            int unused = dialect.bindIds(statement, 1, ids);
            return statement.executeUpdate();
        }
    }

    /** {@return whether it still waited for a retry} */
    boolean park(Connection connection, long id) throws SQLException {
        try (PreparedStatement statement = prepare(
                connection,
                "UPDATE pawl_job SET available_at = " + dialect.moment()
                        + " WHERE id = ? AND state = 0 AND available_at > " + dialect.now())) {
            dialect.bind(statement, 1, Job.PARKED);
            statement.setLong(2, id);
            return statement.executeUpdate() == 1;
        }
    }

    /** {@return those that have not ended} */
    List<Long> live(Connection connection, List<Long> ids) throws SQLException {
        List<Long> live = new ArrayList<>();
        try (PreparedStatement statement = prepare(
                connection, "SELECT id FROM " + dialect.jobsById() + " WHERE " + dialect.anyOf("id", ids.size()))) {
            int unused = dialect.bindIds(statement, 1, ids);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    live.add(rows.getLong(1));
                }
            }
        }
        return live;
    }

    void noteGone(Connection connection, List<Long> ids) throws SQLException {
        change(connection, "UPDATE pawl_keyed SET let_go = 1 WHERE let_go = 0", ids);
    }

    /** Of jobs that were let go. */
    void deleteGone(Connection connection, List<Long> ids) throws SQLException {
        change(connection, "DELETE FROM pawl_keyed WHERE let_go = 1", ids);
    }

    /** {@return those that are parked, whose rows are locked now} */
    List<Long> lockParked(Connection connection, List<Long> ids) throws SQLException {
        List<Long> locked = new ArrayList<>();
        try (PreparedStatement statement = prepare(
                connection,
                "SELECT job_id FROM pawl_keyed WHERE let_go = 0 AND " + dialect.anyOf("job_id", ids.size())
                        + " ORDER BY job_id " + dialect.forUpdate())) {
            int unused = dialect.bindIds(statement, 1, ids);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    locked.add(rows.getLong(1));
                }
            }
        }
        return locked;
    }

    /** Of jobs that ended although they were parked. */
    void deleteParked(Connection connection, List<Long> ids) throws SQLException {
        change(connection, "DELETE FROM pawl_keyed WHERE let_go = 0", ids);
    }

    private void change(Connection connection, String what, List<Long> ids) throws SQLException {
        try (PreparedStatement statement = prepare(connection, what + " AND " + dialect.anyOf("job_id", ids.size()))) {
            int unused = dialect.bindIds(statement, 1, ids);
            statement.executeUpdate();
        }
    }

    /** One that waits for a retry is parked again. */
    void parked(Connection connection, long id, long due) throws SQLException {
        try (PreparedStatement statement =
                prepare(connection, "UPDATE pawl_keyed SET let_go = 0, due = ? WHERE let_go = 1 AND job_id = ?")) {
            statement.setLong(1, due);
            statement.setLong(2, id);
            statement.executeUpdate();
        }
    }

    private PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        return connection.prepareStatement(dialect.sql(sql));
    }
}
