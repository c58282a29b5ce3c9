package dev.pawl.internal.schema;

import dev.pawl.api.SchemaException;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A database product's rules for schema changes. They let only one program at a time change the schema, and tell what errors mean.
 */
public interface SchemaRules {
    /**
     * Called before the tables are locked for a migration. Changes settings of the database that the tables need and that cannot be set in
     * a transaction.
     *
     * @param connection whose auto-commit may be changed
     * @throws SQLException from the driver
     */
    default void prepare(Connection connection) throws SQLException {}

    /**
     * Waits until no other program migrates. From then on, statements of this connection wait only briefly for locks of other transactions,
     * because statements of other programs would queue behind a statement that waits.
     *
     * @param connection whose auto-commit may be changed
     * @throws SchemaException if another program does not finish
     * @throws SQLException from the driver
     */
    void lock(Connection connection) throws SQLException;

    /** Commits the changes, and lets other programs migrate. */
    void unlock(Connection connection) throws SQLException;

    /** Undoes the changes, as far as the product can, and lets other programs migrate. */
    void abandon(Connection connection) throws SQLException;

    /** {@return whether a query failed because its table does not exist} */
    boolean isMissingTable(SQLException error);

    /** {@return whether a statement failed because an earlier, unfinished migration has already executed it} */
    boolean isDone(SQLException error);
}
