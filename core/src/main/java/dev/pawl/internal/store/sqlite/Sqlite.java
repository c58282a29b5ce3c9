package dev.pawl.internal.store.sqlite;

import dev.pawl.Strategy;
import dev.pawl.internal.store.StrategyChoice;
import dev.pawl.internal.store.sql.Database;
import dev.pawl.internal.store.sql.LockingClaim;
import dev.pawl.internal.store.sql.Parts;

/** What SQLite does its own way: one writer at a time, so the claim takes the write lock and needs no row locks. */
public final class Sqlite {
    private Sqlite() {}

    /**
     * @param database on SQLite
     * @return the parts of a store on this database
     */
    public static Parts parts(Database database) {
        return new Parts(
                new SqliteEnqueue(database.dialect()),
                new StrategyChoice(
                        Strategy.IMMEDIATE, "SQLite has one writer at a time; the claim takes the write lock first"),
                LockingClaim.skipping(database),
                null);
    }
}
