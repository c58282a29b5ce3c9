package dev.pawl.internal.admin;

import dev.pawl.admin.TableSize;
import dev.pawl.admin.Tuning;
import dev.pawl.api.SchemaException;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Examines and rebuilds tables of a database product. */
public interface TableCare {
    /**
     * Reports what the server's own settings mean for a queue.
     *
     * @param connection to read on
     * @param findings receives the findings
     * @throws SQLException from the driver
     */
    void examine(Connection connection, Findings findings) throws SQLException;

    /**
     * Reads the sizes of the tables as the database estimates them.
     *
     * @param connection to read on
     * @param dialect has the names of the tables
     * @return the largest first
     * @throws SQLException from the driver
     */
    List<TableSize> sizes(Connection connection, Dialect dialect) throws SQLException;

    /** {@return the columns of each index of the live table, in order, by the name of the index with the usual prefix} */
    Map<String, List<String>> indexes();

    /**
     * Reads the counter from which jobs get their ids.
     *
     * @param connection to read on
     * @param dialect has the names of the tables
     * @return the last id that the counter has issued; 0 if there is none; empty if this user may not read the counter
     * @throws SQLException from the driver
     */
    OptionalLong lastId(Connection connection, Dialect dialect) throws SQLException;

    /**
     * Examines the source of job ids.
     *
     * @param connection of the pool
     * @param dialect the product
     * @param findings receives the faults
     * @throws SQLException from the driver
     */
    default void examineIds(Connection connection, Dialect dialect, Findings findings) throws SQLException {}

    /**
     * @param id of a job
     * @return the statement, with the usual prefix, after which the next job gets a greater id
     */
    String continueIdsAfter(long id);

    /**
     * @param id the id before that of the first job
     * @param byHand the first auto-increment id of {@code pawl_job}, on databases where Pawl takes job ids from another counter
     * @return the statements, with the usual prefix, after which the first job gets the id after the given one. The last statement sets the
     *     counter that {@link #lastId} reads, so that this counter shows whether all statements were run
     */
    default List<String> begin(long id, long byHand) {
        return List.of(continueIdsAfter(id));
    }

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
