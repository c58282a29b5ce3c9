package dev.pawl.lab.run;

import java.util.List;

/**
 * A deadlock as an InnoDB server lists it, in the columns of the study: its transactions, and the locks that they held
 * and waited for.
 *
 * @param database name of the target
 * @param system that caused it
 * @param at when, as the server prints it
 * @param transactions that took part
 * @param locks that they held and waited for
 */
public record DeadlockListing(
        String database, String system, String at, List<Transaction> transactions, List<Lock> locks) {
    /** {@return whether a lock is of a table of that database, or schema} */
    boolean isAbout(String schema) {
        return locks.stream().anyMatch(lock -> lock.table().contains(schema));
    }

    /**
     * A transaction.
     *
     * @param id of its thread
     * @param user of the database
     * @param host of its client
     * @param victim whether it was rolled back
     * @param activeSeconds since it began
     * @param undo number of undo log entries
     * @param lockStructs number of lock structures
     * @param query that it ran
     */
    public record Transaction(
            String id,
            String user,
            String host,
            boolean victim,
            String activeSeconds,
            int undo,
            int lockStructs,
            String query) {}

    /**
     * A lock.
     *
     * @param id of the thread
     * @param waiting for it, or holding it
     * @param mode such as X
     * @param table with its database
     * @param index of the locked record
     * @param special "rec but not gap", "gap before rec" or empty: record and gap
     * @param insertIntention whether it is a wait to insert
     */
    public record Lock(
            String id,
            boolean waiting,
            String mode,
            String table,
            String index,
            String special,
            boolean insertIntention) {}
}
