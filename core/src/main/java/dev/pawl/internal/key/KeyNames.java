package dev.pawl.internal.key;

import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/**
 * Several keys of one queue as parameters of a statement. The number of placeholders is rounded up, so that there are few different
 * statements.
 */
final class KeyNames {
    /** MariaDB turns longer lists into a temporary table, and may then read all keys. */
    private static final int MAX_IN_LIST = 512;

    private final Dialect dialect;

    private static final String WANTED = "(SELECT ?::text AS queue) AS q, unnest(?::text[]) AS wanted (job_key), ";

    KeyNames(Dialect dialect) {
        this.dialect = dialect;
    }

    /** {@return the test that a row's key is one of some keys} */
    String anyOf(Collection<String> keys) {
        return anyOf("job_key", keys);
    }

    /** {@return the test that a column is one of some keys} */
    String anyOf(String column, Collection<String> keys) {
        if (dialect.takesLists()) { // parsing a hundred placeholders takes longer than reading the rows
            return column + " = ANY (?::text[])";
        }
        if (dialect.isInProcess()) {
            return column + " IN (SELECT value FROM json_each(?))";
        }
        int slots = slots(keys);
        String some = column + " IN (" + "?,".repeat(Math.min(slots, MAX_IN_LIST) - 1) + "?)";
        return slots <= MAX_IN_LIST ? some : "(" + some + (" OR " + some).repeat(slots / MAX_IN_LIST - 1) + ")";
    }

    /**
     * {@return a query of the rows of {@code pawl_key} of some keys; {@link #of} binds the keys} On PostgreSQL the query probes the primary
     * key once for each key. For a plain list of keys, a planner without statistics assumes that a queue has few keys, and would read all
     * of them. A planner with statistics does not know that neighbouring keys share pages. Without the LIMIT clause the planner may turn
     * the probes into a join. The rows are read, and locked, in the order of the given keys, so callers that wait for locks pass them in
     * Java's order. On other databases, ORDER BY decides.
     *
     * @param columns the columns to read
     * @param rest another condition, and the clause that locks the rows
     */
    String each(String columns, Collection<String> keys, String rest) {
        return dialect.takesLists()
                ? "SELECT one.* FROM " + WANTED + "LATERAL (SELECT " + columns
                        + " FROM pawl_key WHERE queue = q.queue AND job_key = wanted.job_key " + rest
                        + " LIMIT 1) AS one"
                : "SELECT " + columns + " FROM pawl_key WHERE queue = ? AND " + anyOf(keys) + " " + rest;
    }

    /**
     * {@return the test that a locked row of {@code pawl_key} has one of some keys; {@link #of} binds the keys} It probes as {@link #each}
     * does.
     */
    String rowsOf(Collection<String> keys) {
        return dialect.takesLists()
                ? "ctid = ANY (ARRAY(SELECT one.at FROM " + WANTED + "LATERAL (SELECT t.ctid AS at FROM pawl_key t"
                        + " WHERE t.queue = q.queue AND t.job_key = wanted.job_key LIMIT 1) AS one))"
                : "queue = ? AND " + anyOf(keys);
    }

    /** {@return the queue and then the keys, as values of a statement} */
    Sql.Value of(String queue, Collection<String> keys) {
        return (statement, index) -> bind(statement, index, queue, keys);
    }

    private int bind(PreparedStatement statement, int first, String queue, Collection<String> keys)
            throws SQLException {
        int index = first;
        statement.setString(index++, queue);
        if (dialect.takesLists()) {
            statement.setArray(index++, statement.getConnection().createArrayOf("text", keys.toArray()));
            return index;
        }
        if (dialect.isInProcess()) {
            statement.setString(index++, JsonStrings.write(List.copyOf(keys)));
            return index;
        }
        String last = "";
        for (String key : keys) {
            statement.setString(index++, key);
            last = key;
        }
        for (int spare = slots(keys) - keys.size(); spare > 0; spare--) {
            statement.setString(index++, last);
        }
        return index;
    }

    /** {@return the first column of a query that takes a queue and keys} */
    List<String> read(Connection connection, String sql, String queue, Collection<String> keys) throws SQLException {
        return dialect.planned(sql).on(connection, of(queue, keys)).strings();
    }

    static int slots(Collection<?> items) {
        return items.size() <= 1 ? 1 : Integer.highestOneBit(items.size() - 1) << 1;
    }
}
