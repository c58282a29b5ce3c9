package dev.pawl.specification.concurrent;

import dev.pawl.specification.concurrent.History.Confided;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Searches all tables for the names of people. */
final class Traces {
    private Traces() {}

    /** {@return the names that were found, and in which column} */
    static Map<String, String> of(DataSource pool, History history) throws SQLException {
        Set<String> names = history.confided.stream().map(Confided::name).collect(Collectors.toSet());
        Map<String, String> found = new HashMap<>();
        try (Connection connection = pool.getConnection()) {
            for (String table : tables(connection)) {
                try (Statement statement = connection.createStatement();
                        ResultSet rows = statement.executeQuery("SELECT * FROM " + table)) {
                    while (rows.next()) {
                        for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
                            String text = text(rows.getObject(column));
                            String place = table + "." + rows.getMetaData().getColumnName(column) + ": " + text;
                            names.stream().filter(text::contains).forEach(name -> found.put(name, place));
                        }
                    }
                }
            }
        }
        return found;
    }

    private static List<String> tables(Connection connection) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (ResultSet rows =
                connection.getMetaData().getTables(connection.getCatalog(), null, "%", new String[] {"TABLE"})) {
            while (rows.next()) {
                String table = rows.getString("TABLE_NAME");
                if (table.toLowerCase(Locale.ROOT).startsWith("pawl_")) {
                    tables.add(table);
                }
            }
        }
        return tables;
    }

    private static String text(@Nullable Object value) {
        return value instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(value);
    }
}
