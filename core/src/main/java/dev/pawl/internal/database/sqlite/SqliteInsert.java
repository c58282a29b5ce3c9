package dev.pawl.internal.database.sqlite;

import dev.pawl.internal.enqueue.JobColumns;
import dev.pawl.internal.jdbc.Dialect;

/**
 * The INSERT of a job, with only the columns that some job of the same JDBC batch uses, because the driver makes a native call to bind each
 * value of each row.
 */
final class SqliteInsert {
    private final String plain;
    private final String withTexts;
    private final String withMore;
    private final String withBoth;

    /**
     * @param table to write to
     * @param columns that all jobs have
     * @param more columns that few jobs use, see {@link JobColumns}
     */
    SqliteInsert(Dialect dialect, String table, String columns, String more) {
        plain = sql(dialect, table, columns);
        withTexts = sql(dialect, table, columns + JobColumns.TEXTS);
        withMore = sql(dialect, table, columns + more);
        withBoth = sql(dialect, table, columns + JobColumns.TEXTS + more);
    }

    private static String sql(Dialect dialect, String table, String columns) {
        int count = columns.split(",", -1).length;
        return dialect.sql("INSERT INTO " + table + " (" + columns + ") VALUES (?" + ", ?".repeat(count - 1) + ")");
    }

    /**
     * {@return the statement}
     *
     * @param texts whether it has the columns of tags and headers
     * @param more whether it has the columns that few jobs use
     */
    String sql(boolean texts, boolean more) {
        return texts ? (more ? withBoth : withTexts) : more ? withMore : plain;
    }
}
