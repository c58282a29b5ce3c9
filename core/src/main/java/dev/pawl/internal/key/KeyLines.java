package dev.pawl.internal.key;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the first blocked jobs in the lines of several keys: a few index entries of each line, however long the line is. */
final class KeyLines {
    private final Dialect dialect;
    private final KeyNames names;

    KeyLines(Dialect dialect) {
        this.dialect = dialect;
        this.names = new KeyNames(dialect);
    }

    /** {@return the table of keyed jobs, with a hint for the index in the order of the lines} */
    static String table(Dialect dialect) {
        return dialect.byIndex("pawl_keyed", "pawl_keyed_line");
    }

    /**
     * {@return the condition that a key, in a row of {@code pawl_key k}, has no blocked or no released jobs} It is a single probe, because
     * a join may read all jobs.
     *
     * @param released 0 for blocked jobs, 1 for released ones
     */
    static String none(int released) {
        return "(SELECT 1 FROM pawl_keyed j WHERE j.released = " + released
                + " AND j.queue = k.queue AND j.job_key = k.job_key LIMIT 1) IS NULL";
    }

    /**
     * @param value the value to read besides the key, never null
     * @param places the condition that selects a part of the lines
     * @param most how many jobs to read of each key; the caller has locked the rows of the keys
     */
    void read(
            Connection connection,
            String value,
            String places,
            String queue,
            Map<String, Integer> most,
            Sql.Action reader)
            throws SQLException {
        String line = " FROM " + table(dialect) + " WHERE queue = %s AND job_key = %s AND released = 0 AND " + places
                + " ORDER BY available_at, priority, job_id LIMIT %s";
        if (dialect.isInProcess() && most.size() > 1 && most.values().stream().allMatch(each -> each == 1)) {
            readFirst(connection, "SELECT " + value + line.formatted("t.queue", "t.job_key", "1"), queue, most, reader);
            return;
        }
        String one = "SELECT job_key, " + value + line.formatted("?", "?", "?");
        if (dialect.isInProcess()) {
            try (PreparedStatement statement = dialect.planned(connection, dialect.sql(one))) {
                for (Map.Entry<String, Integer> each : most.entrySet()) {
                    statement.setString(1, queue);
                    statement.setString(2, each.getKey());
                    statement.setInt(3, each.getValue());
                    try (ResultSet rows = statement.executeQuery()) {
                        while (rows.next()) {
                            reader.take(rows);
                        }
                    }
                }
            }
            return;
        }
        if (dialect.takesLists()) {
            String sql = "SELECT line.* FROM unnest(?::text[], ?::int[]) AS wanted (job_key, most), LATERAL ("
                    + one.replace("job_key = ?", "job_key = wanted.job_key").replace("LIMIT ?", "LIMIT wanted.most")
                    + ") AS line";
            on(connection, sql, array("text", most.keySet()), array("int4", most.values()), queue)
                    .each(reader);
            return;
        }
        int slots = KeyNames.slots(most.keySet());
        String term = "(" + one + ")";
        Sql.Bound lines = on(connection, term + (" UNION ALL " + term).repeat(slots - 1));
        most.forEach((key, limit) -> lines.bind(queue, key, limit));
        for (int spare = slots - most.size(); spare > 0; spare--) {
            lines.bind(queue, "", 0);
        }
        lines.each(reader);
    }

    /**
     * Reads the first job of each line by a scalar subquery over the rows of the keys, in one statement instead of one per key. Not for
     * MySQL and MariaDB: their planners would read all delayed jobs, because the key's columns come from an outer row.
     */
    private void readFirst(
            Connection connection, String first, String queue, Map<String, Integer> keys, Sql.Action reader)
            throws SQLException {
        String sql = "SELECT t.job_key, (" + first + ") FROM pawl_key t WHERE t.queue = ? AND "
                + names.anyOf("t.job_key", keys.keySet());
        on(connection, sql, names.of(queue, keys.keySet())).each(row -> {
            Object found = row.getObject(2);
            if (found != null) {
                reader.take(row);
            }
        });
    }

    /**
     * Reads the released jobs that have rows of their own, however many.
     *
     * @param columns the columns of {@code pawl_keyed k} to read besides the key
     */
    void readReleased(Connection connection, String columns, String queue, Collection<String> keys, Sql.Action reader)
            throws SQLException {
        String one = "SELECT k.job_key, " + columns + " FROM pawl_keyed k WHERE k.released = 1 AND k.queue = ? AND ";
        if (dialect.takesLists()) {
            String sql = "SELECT line.* FROM unnest(?::text[]) AS wanted (job_key), LATERAL (" + one
                    + "k.job_key = wanted.job_key ORDER BY k.available_at, k.priority, k.job_id LIMIT "
                    + Integer.MAX_VALUE
                    + ") AS line";
            on(connection, sql, array("text", keys), queue).each(reader);
            return;
        }
        on(connection, one + names.anyOf("k.job_key", keys), names.of(queue, keys))
                .each(reader);
    }

    private static Sql.Value array(String type, Collection<?> items) {
        return (statement, index) -> {
            statement.setArray(index, statement.getConnection().createArrayOf(type, items.toArray()));
            return index + 1;
        };
    }

    private Sql.Bound on(Connection connection, String sql, @Nullable Object... values) {
        return dialect.planned(sql).on(connection, values);
    }
}
