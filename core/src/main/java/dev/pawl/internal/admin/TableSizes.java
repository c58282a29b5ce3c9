package dev.pawl.internal.admin;

import dev.pawl.admin.TableSize;
import dev.pawl.internal.jdbc.JobRows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reads sizes of tables. */
public final class TableSizes {
    private TableSizes() {}

    /**
     * @param connection to read on
     * @param sql columns: table, rows, dead rows, bytes, bytes of indexes, free bytes; with one placeholder
     * @param prefix of the tables' names, bound to it
     * @return the sizes
     * @throws SQLException from the driver
     */
    public static List<TableSize> read(Connection connection, String sql, String prefix) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, prefix);
            List<TableSize> sizes = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    sizes.add(new TableSize(
                            rows.getString(1),
                            JobRows.longOrNull(rows, "live_rows"),
                            JobRows.longOrNull(rows, "dead_rows"),
                            rows.getLong("table_bytes"),
                            JobRows.longOrNull(rows, "index_bytes"),
                            JobRows.longOrNull(rows, "free_bytes")));
                }
            }
            return sizes;
        }
    }
}
