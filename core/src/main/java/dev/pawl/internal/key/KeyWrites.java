package dev.pawl.internal.key;

import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes columns of several locked rows of {@code pawl_key}, with different values for each row. */
final class KeyWrites {
    private final Dialect dialect;
    private final KeyNames names;

    KeyWrites(Dialect dialect) {
        this.dialect = dialect;
        this.names = new KeyNames(dialect);
    }

    /**
     * A column of the table, and its value for each key.
     *
     * @param isNumber whether it is a number; if not, it is a text
     * @param values the values by key; a missing value is NULL
     */
    record Column(String name, boolean isNumber, Map<String, String> values) {
        static Column numbers(String name, Map<String, Long> values) {
            Map<String, String> texts = new HashMap<>();
            values.forEach((key, value) -> texts.put(key, value.toString()));
            return new Column(name, true, texts);
        }
    }

    void write(Connection connection, String queue, Collection<String> keys, Column... columns) throws SQLException {
        if (keys.isEmpty()) {
            return;
        }
        if (dialect.takesLists()) {
            writeAtOnce(connection, queue, keys, List.of(columns));
        } else {
            writeEach(connection, queue, keys, List.of(columns));
        }
    }

    /**
     * Does not join the table with the given values, and does not run one statement per key, because the plan of a join, or a cached plan,
     * may read all keys of the queue.
     */
    private void writeAtOnce(Connection connection, String queue, Collection<String> keys, List<Column> columns)
            throws SQLException {
        String set = columns.stream()
                .map(column -> column.name + " = (given." + column.name + " ->> job_key)"
                        + (column.isNumber ? "::bigint" : ""))
                .collect(Collectors.joining(", "));
        String given =
                columns.stream().map(column -> "?::jsonb AS " + column.name).collect(Collectors.joining(", "));
        String sql = "UPDATE pawl_key SET " + set + " FROM (SELECT " + given + ") AS given WHERE " + names.rowsOf(keys);
        try (PreparedStatement statement = dialect.planned(connection, dialect.sql(sql))) {
            int index = 1;
            for (Column column : columns) { // parsed once, and not for each row
                statement.setObject(index++, JsonStrings.write(column.values), Types.OTHER);
            }
            statement.setString(index++, queue);
            statement.setArray(index, connection.createArrayOf("text", keys.toArray()));
            statement.executeUpdate();
        }
    }

    private void writeEach(Connection connection, String queue, Collection<String> keys, List<Column> columns)
            throws SQLException {
        String set = columns.stream().map(column -> column.name + " = ?").collect(Collectors.joining(", "));
        String sql = "UPDATE pawl_key SET " + set + " WHERE queue = ? AND job_key = ?";
        try (PreparedStatement statement = connection.prepareStatement(dialect.sql(sql))) {
            for (String key : keys) {
                int index = 1;
                for (Column column : columns) {
                    String value = column.values.get(key);
                    if (column.isNumber && value != null) {
                        statement.setLong(index++, Long.parseLong(value));
                    } else {
                        statement.setString(index++, value);
                    }
                }
                statement.setString(index++, queue);
                statement.setString(index, key);
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }
}
