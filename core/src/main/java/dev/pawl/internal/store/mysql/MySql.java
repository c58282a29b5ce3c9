package dev.pawl.internal.store.mysql;

import dev.pawl.Strategy;
import dev.pawl.internal.store.StrategyChoice;
import dev.pawl.internal.store.sql.Database;
import dev.pawl.internal.store.sql.LockingClaim;
import dev.pawl.internal.store.sql.Parts;

/** What MySQL and MariaDB do their own way. */
public final class MySql {
    private MySql() {}

    /**
     * @param database on MySQL or MariaDB
     * @param skipLockedWorks whether FOR UPDATE SKIP LOCKED takes a lock here
     * @return the parts of a store on this database
     */
    public static Parts parts(Database database, boolean skipLockedWorks) {
        MySqlEnqueue enqueue = new MySqlEnqueue(database.dialect());
        if (!skipLockedWorks) {
            StrategyChoice choice = new StrategyChoice(
                    Strategy.optimistic(100, Strategy.Pick.UNIFORM),
                    "this server has no working FOR UPDATE SKIP LOCKED (MySQL 8.0.1 and MariaDB 10.6 do)");
            return new Parts(enqueue, choice, null, null);
        }
        return new Parts(
                enqueue,
                new StrategyChoice(Strategy.SKIP_LOCKED, "FOR UPDATE SKIP LOCKED works on this server"),
                LockingClaim.skipping(database),
                null);
    }
}
