package dev.pawl.internal.schema;

import dev.pawl.SchemaException;
import java.sql.Connection;
import java.sql.SQLException;

/** How a product's schema is changed: how one of many programs that start together gets to do it, and what errors mean. */
public interface SchemaRules {
    /**
     * Waits until no other program migrates. From then on no statement waits for long for the transactions of others,
     * because what comes after it waits behind it.
     *
     * @param connection whose auto-commit may be changed
     * @throws SchemaException if another program does not come to an end
     * @throws SQLException from the driver
     */
    void lock(Connection connection) throws SQLException;

    /** Keeps what was done, and lets others in. */
    void unlock(Connection connection) throws SQLException;

    /** Undoes what was done, as far as the product can, and lets others in. */
    void abandon(Connection connection) throws SQLException;

    /** {@return whether a query failed because its table does not exist} */
    boolean isMissingTable(SQLException error);

    /** {@return whether a statement failed because an earlier try, which came to no end, has done it already} */
    boolean isDone(SQLException error);
}
