package dev.pawl;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A reserved value of a series, such as a serial number. It ends in exactly one way: {@link #use}, {@link #clear}, or
 * its reservation runs out. Thread-safe.
 */
public interface Slot {
    /** {@return the name of its series} */
    String series();

    /** {@return the value} */
    String value();

    /**
     * {@return the value as a number, see {@link SlotSeries#numbers}}
     *
     * @throws NumberFormatException if it is not a number
     */
    default long number() {
        return Long.parseLong(value());
    }

    /** {@return its place in the series, from 1, in the order of issue} */
    long ordinal();

    /**
     * Uses the slot for good, within the caller's transaction: together with the business write, or not at all.
     *
     * @param connection with an open transaction
     * @throws SlotException if the reservation has run out and another owner has the slot; roll back
     * @throws SQLException from the driver
     */
    void use(Connection connection) throws SQLException;

    /**
     * Uses the slot for good, in a transaction of its own.
     *
     * @throws SlotException if the reservation has run out and another owner has the slot
     * @throws DatabaseException if the database fails; then it may or may not be used
     */
    void use();

    /**
     * Gives the slot back; a handler that does so and returns has completed its job without one. Does nothing if the
     * slot is used, even in a transaction that is still open (until its connection is closed), or belongs to another
     * owner.
     *
     * @return true if it was reserved by this owner until now
     * @throws DatabaseException if the database fails
     */
    boolean clear();

    /**
     * Extends the reservation to the given time from now, by the database's clock.
     *
     * @param ttl more than zero
     * @return false if the slot is no longer reserved by this owner
     * @throws DatabaseException if the database fails
     */
    boolean extend(Duration ttl);
}
