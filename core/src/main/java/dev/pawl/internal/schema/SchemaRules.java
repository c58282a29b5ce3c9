package dev.pawl.internal.schema;

import dev.pawl.api.SchemaException;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * How a product's schema is changed: how one of many programs that start together gets to do so, and what errors mean.
 */
public interface SchemaRules {
    /**
     * Sets what the tables need of the database and no transaction can set, before the first of them is created.
     *
     * @param connection whose auto-commit may be changed
     * @throws SQLException from the driver
     */
    default void prepare(Connection connection) throws SQLException {}

    /**
     * Waits until no other program migrates. From then on no statement waits long for the transactions of others,
     * because everything that comes later waits behind it.
     *
     * @param connection whose auto-commit may be changed
     * @throws SchemaException if another program does not finish
     * @throws SQLException from the driver
     */
    void lock(Connection connection) throws SQLException;

    /** Keeps what was done, and lets others in. */
    void unlock(Connection connection) throws SQLException;

    /** Undoes what was done, as far as the product can, and lets others in. */
    void abandon(Connection connection) throws SQLException;

    /** {@return whether a query failed because its table does not exist} */
    boolean isMissingTable(SQLException error);

    /** {@return whether a statement failed because an earlier, unfinished try has already done it} */
    boolean isDone(SQLException error);
}
