package dev.pawl.api;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A reserved value of a series, such as a serial number. A reservation ends in exactly one way: by {@link #use}, by
 * {@link #clear}, or by its expiry. Thread-safe.
 */
public interface Slot {
    /** {@return the name of its series} */
    String series();

    /** {@return the value} */
    String value();

    /**
     * {@return the value as a number, see {@link dev.pawl.SlotSeries#numbers}}
     *
     * @throws NumberFormatException if the value is not a number
     */
    default long number() {
        return Long.parseLong(value());
    }

    /** {@return its position in the series, from 1, in the order of issue} */
    long ordinal();

    /**
     * Uses the slot permanently, in the caller's transaction. The use commits together with the other writes of the transaction, or not at
     * all.
     *
     * @param connection with an open transaction
     * @throws SlotException if the slot was used or cleared already, or the reservation has expired and another owner has it; roll back
     * @throws SQLException from the driver
     */
    void use(Connection connection) throws SQLException;

    /**
     * Uses the slot permanently, in a transaction of its own; otherwise like {@link #use(Connection)}.
     *
     * @throws SlotException if the reservation has expired and another owner has the slot
     * @throws DatabaseException if the database fails; then the slot may or may not be used
     */
    void use();

    /**
     * Gives the slot back. A handler that gives its slot back and then returns completes its job without a slot. Does nothing if the slot
     * is used or belongs to another owner. A slot that was used in a transaction counts as used until the connection of the transaction is
     * closed, and after that only if the transaction was committed.
     *
     * @return true if this owner had it reserved
     * @throws DatabaseException if the database fails
     */
    boolean clear();

    /**
     * Extends the reservation to a duration from now, by the database's clock.
     *
     * @param ttl more than zero
     * @return false if this owner no longer has the slot reserved
     * @throws DatabaseException if the database fails
     */
    boolean extend(Duration ttl);
}
