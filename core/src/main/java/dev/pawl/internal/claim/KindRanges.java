package dev.pawl.internal.claim;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.RowStates;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Reads the first ready jobs of several kinds within one priority: each kind from its own range of the index, all in one statement. */
final class KindRanges {
    private final Dialect dialect;
    private final String columns;
    private final String table;
    private final String suffix;

    /**
     * @param columns to read
     * @param table with an index hint where one is needed
     * @param suffix the locking clause; may be empty
     */
    KindRanges(Dialect dialect, String columns, String table, String suffix) {
        this.dialect = dialect;
        this.columns = columns;
        this.table = table;
        this.suffix = suffix;
    }

    /** The first jobs of a kind, up to a limit. */
    record Range(String kind, int limit) {}

    /** Takes a row of the result. */
    @FunctionalInterface
    interface Row {
        void take(String kind, ResultSet row) throws SQLException;
    }

    /** Reads the ranges, each in the order of the claim. */
    void read(Connection connection, String queue, int priority, List<Range> ranges, Row each) throws SQLException {
        for (List<Range> some : PerKind.portions(ranges)) {
            String sql = dialect.sql(PerKind.unionOf(
                    some.size(),
                    index -> "SELECT " + columns + ", " + index
                            + " AS k FROM " + table
                            + " WHERE " + RowStates.CLAIMABLE
                            + " AND queue = ? AND kind = ? AND priority = ? AND available_at <= "
                            + dialect.now() + " ORDER BY available_at, id LIMIT ? " + suffix));
            try (PreparedStatement statement = dialect.planned(connection, sql)) {
                int index = 1;
                for (Range range : some) {
                    statement.setString(index++, queue);
                    statement.setString(index++, range.kind);
                    statement.setInt(index++, priority);
                    statement.setInt(index++, range.limit);
                }
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        each.take(some.get(some.size() == 1 ? 0 : rows.getInt("k")).kind, rows);
                    }
                }
            }
        }
    }
}
