package dev.pawl.internal.admin;

import dev.pawl.SchemaException;
import dev.pawl.admin.Tuning;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** How a product's tables are examined and rebuilt. */
public interface TableCare {
    /**
     * Reports what the server's own settings mean for a queue.
     *
     * @param connection to look through
     * @param findings where to report it
     * @throws SQLException from the driver
     */
    void examine(Connection connection, Findings findings) throws SQLException;

    /** {@return the columns of each index of the live table, in order, under its name with the usual prefix} */
    Map<String, List<String>> indexes();

    /**
     * Rebuilds tables, in the caller's transaction.
     *
     * @param connection in a transaction
     * @param tuning what to change
     * @throws SchemaException if this database cannot
     * @throws SQLException from the driver
     */
    void tune(Connection connection, Tuning tuning) throws SQLException;
}
