package dev.pawl;

import dev.pawl.internal.store.sql.Database;

/**
 * Series of slots: values that jobs take one after the other, such as serial numbers and ticket codes, each issued to one
 * job at a time and used once. Get it from {@link JobQueue#slots}. Thread-safe.
 */
public final class Slots {
    private final Database database;

    Slots(Database database) {
        this.database = database;
    }

    /**
     * @param name of the series, in the same form as a queue's; different series know nothing of each other
     * @return the series, to set its options
     * @throws InvalidJobException if the name is malformed
     */
    public SlotSeries series(String name) {
        return SlotSeries.of(database, Names.check("series", name));
    }
}
