package dev.pawl.internal.key;

import dev.pawl.api.JobState;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The released jobs of a key, as its row in {@code pawl_key} names them. A release locks that row in any case, and one write of it records
 * many jobs. The ids are only candidates: the state of each job is read from its own row, so nothing is written here when a job finishes,
 * and a crash leaves nothing to repair.
 */
final class InFlight {
    /** Limit of ids in the row of a key, so that the row stays short. Further released jobs are marked in rows of their own. */
    static final int MAX = 100;

    private static final int BATCH = 500;

    private final Dialect dialect;
    private final KeyNames names;
    private final String now;

    InFlight(Dialect dialect) {
        this.dialect = dialect;
        this.names = new KeyNames(dialect);
        this.now = dialect.micros(dialect.now());
    }

    /** {@return the ids in a row's text} */
    static List<Long> ids(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return List.of();
        }
        List<Long> ids = new ArrayList<>();
        for (int from = 0; from < text.length(); ) {
            int comma = text.indexOf(',', from);
            int end = comma < 0 ? text.length() : comma;
            ids.add(Long.parseLong(text, from, end, 10));
            from = end + 1;
        }
        return ids;
    }

    private static @Nullable String text(Collection<Long> ids) {
        return ids.isEmpty() ? null : ids.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /**
     * Reads what became of released jobs. Omits jobs that are blocked again or were moved to another queue: they are not in flight, and
     * have not ended.
     *
     * @param ids of jobs of a queue, by their keys
     */
    List<KeyRows.ReleasedJob> read(Connection connection, String queue, Map<String, ? extends Collection<Long>> ids)
            throws SQLException {
        Map<Long, String> keys = new LinkedHashMap<>();
        ids.forEach((key, some) -> some.forEach(id -> keys.put(id, key)));
        List<Long> all = new ArrayList<>(keys.keySet());
        Collections.sort(all);
        List<KeyRows.ReleasedJob> released = new ArrayList<>();
        for (int from = 0; from < all.size(); from += BATCH) {
            read(connection, queue, all.subList(from, Math.min(all.size(), from + BATCH)), keys, released);
        }
        keys.forEach((id, key) -> released.add(KeyRows.ReleasedJob.ended(key, id)));
        return released;
    }

    /** Removes the jobs that it finds from {@code keys}. */
    private void read(
            Connection connection,
            String queue,
            List<Long> some,
            Map<Long, String> keys,
            List<KeyRows.ReleasedJob> released)
            throws SQLException {
        String sql = "SELECT id, queue, state, " + dialect.micros("available_at") + ", " + now + " FROM "
                + dialect.jobsById() + " WHERE " + dialect.isLive() + " AND " + dialect.anyOf("id", some.size());
        on(connection, sql, some).each(row -> {
            long id = row.getLong(1);
            String key = keys.remove(id);
            JobState state = JobState.ofCode(row.getInt(3));
            boolean waitsForOthers = state == JobState.BLOCKED || state == JobState.PENDING;
            if (key != null && !waitsForOthers && row.getString(2).equals(queue)) {
                released.add(KeyRows.ReleasedJob.live(key, id, state, row.getLong(4), row.getLong(5), true));
            }
        });
    }

    /** Writes the released jobs of each key; the caller has locked the keys. */
    void write(Connection connection, String queue, Map<String, ? extends Collection<Long>> ids) throws SQLException {
        if (ids.isEmpty()) {
            return;
        }
        if (dialect.takesLists()) {
            writeLists(connection, queue, ids);
        } else if (dialect.isInProcess()) {
            writeInProcess(connection, queue, ids);
        } else {
            writeRows(connection, queue, ids);
        }
    }

    /**
     * Does not join the table with the given values, because the plan of a join may read all keys of the queue, or compare each row with
     * each value.
     */
    private void writeLists(Connection connection, String queue, Map<String, ? extends Collection<Long>> ids)
            throws SQLException {
        Map<String, String> texts = new HashMap<>();
        ids.forEach((key, some) -> {
            String text = text(some);
            if (text != null) {
                texts.put(key, text);
            }
        });
        String sql = "UPDATE pawl_key SET in_flight = given.ids ->> job_key,"
                + " has_in_flight = CASE WHEN given.ids ->> job_key IS NULL THEN 0 ELSE 1 END"
                + " FROM (SELECT ?::jsonb AS ids) AS given WHERE " + names.rowsOf(ids.keySet());
        try (PreparedStatement statement = dialect.planned(connection, dialect.sql(sql))) {
            statement.setObject(1, JsonStrings.write(texts), Types.OTHER); // parsed once, and not for each row
            statement.setString(2, queue);
            statement.setArray(3, connection.createArrayOf("text", ids.keySet().toArray()));
            statement.executeUpdate();
        }
    }

    private void writeInProcess(Connection connection, String queue, Map<String, ? extends Collection<Long>> ids)
            throws SQLException {
        Map<String, String> texts = new HashMap<>();
        ids.forEach((key, some) -> texts.put(key, Objects.requireNonNullElse(text(some), "")));
        String sql = "INSERT INTO pawl_key (queue, job_key, in_flight, has_in_flight)"
                + " SELECT ?, given.key, NULLIF(given.value, ''), given.value <> '' FROM json_each(?) AS given WHERE true"
                + " ON CONFLICT (queue, job_key) DO UPDATE SET in_flight = excluded.in_flight, has_in_flight = excluded.has_in_flight";
        on(connection, sql, queue, JsonStrings.write(texts)).run();
    }

    /** Uses an INSERT although all rows exist, because no other statement takes a different value for each row. */
    private void writeRows(Connection connection, String queue, Map<String, ? extends Collection<Long>> ids)
            throws SQLException {
        List<Map.Entry<String, Collection<Long>>> all = new ArrayList<>();
        ids.forEach((key, some) -> all.add(Map.entry(key, List.copyOf(some))));
        int slots = KeyNames.slots(all);
        String sql = "INSERT INTO pawl_key (queue, job_key, in_flight, has_in_flight) VALUES "
                + "(?, ?, ?, ?), ".repeat(slots - 1)
                + "(?, ?, ?, ?) ON DUPLICATE KEY UPDATE in_flight = VALUES(in_flight), has_in_flight = VALUES(has_in_flight)";
        Sql.Bound insert = on(connection, sql);
        for (int slot = 0; slot < slots; slot++) {
            Map.Entry<String, Collection<Long>> each = all.get(Math.min(slot, all.size() - 1));
            insert.bind(
                    queue, each.getKey(), text(each.getValue()), each.getValue().isEmpty() ? 0 : 1);
        }
        insert.run();
    }

    /** Writes that no job of these keys is released. */
    void clear(Connection connection, String queue, Collection<String> keys) throws SQLException {
        String sql = "UPDATE pawl_key SET in_flight = NULL, has_in_flight = 0 WHERE " + names.rowsOf(keys)
                + " AND has_in_flight = 1";
        on(connection, sql, names.of(queue, keys)).run();
    }

    /**
     * @param after returns only keys behind this one
     * @param most maximum number of keys
     * @return the released jobs of each key, in the order of the keys
     */
    Map<String, List<Long>> of(Connection connection, String queue, String after, int most) throws SQLException {
        String sql = "SELECT job_key, in_flight FROM pawl_key WHERE queue = ? AND has_in_flight = 1 AND job_key > ?"
                + " ORDER BY job_key LIMIT " + most;
        Map<String, List<Long>> found = new LinkedHashMap<>();
        on(connection, sql, queue, after).each(row -> found.put(row.getString(1), ids(row.getString(2))));
        return found;
    }

    /** {@return how many jobs of each key are in flight; if jobs are ordered, this includes jobs that wait for a retry} */
    Map<String, Integer> count(Connection connection, String queue, Map<String, List<Long>> ids, boolean ordered)
            throws SQLException {
        Map<String, Integer> counts = new HashMap<>();
        for (KeyRows.ReleasedJob one : read(connection, queue, ids)) {
            if (one.isLive() && (ordered || one.runs())) {
                counts.merge(one.key(), 1, Integer::sum);
            }
        }
        return counts;
    }

    /** {@return keys whose rows name jobs that are not in flight any more: they have ended, are blocked again, or were moved} */
    Set<String> ended(Connection connection, String queue, Map<String, List<Long>> ids) throws SQLException {
        Map<String, Integer> live = new HashMap<>();
        for (KeyRows.ReleasedJob one : read(connection, queue, ids)) {
            live.merge(one.key(), one.isLive() ? 1 : 0, Integer::sum);
        }
        return ids.entrySet().stream()
                .filter(each ->
                        live.getOrDefault(each.getKey(), 0) < each.getValue().size())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private Sql.Bound on(Connection connection, String sql, @Nullable Object... values) {
        return dialect.planned(sql).on(connection, values);
    }
}
