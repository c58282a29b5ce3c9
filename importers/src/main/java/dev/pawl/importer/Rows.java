package dev.pawl.importer;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Statements on the peer's tables: every value is bound. */
final class Rows {
    private Rows() {}

    /** Maps a row. */
    @FunctionalInterface
    interface Reader<T> {
        /** {@return the result, or null to skip the row} */
        @Nullable
        T read(ResultSet row) throws SQLException;
    }

    static <T> List<T> all(Connection connection, String sql, Reader<T> reader, Object... values) throws SQLException {
        List<T> found = new ArrayList<>();
        try (PreparedStatement statement = prepare(connection, sql, values);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                T each = reader.read(rows);
                if (each != null) {
                    found.add(each);
                }
            }
        }
        return found;
    }

    static int change(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, values)) {
            return statement.executeUpdate();
        }
    }

    private static PreparedStatement prepare(Connection connection, String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    /** {@return a number that may be missing} */
    static @Nullable Long number(ResultSet row, String column) throws SQLException {
        long number = row.getLong(column);
        return row.wasNull() ? null : Long.valueOf(number);
    }
}
