package dev.pawl.internal.store.postgres;

import dev.pawl.Retention;
import dev.pawl.Strategy;
import dev.pawl.internal.store.StrategyChoice;
import dev.pawl.internal.store.sql.Database;
import dev.pawl.internal.store.sql.Parts;

/** What PostgreSQL does its own way: one statement for each of enqueue, claim and complete. */
public final class Postgres {
    private Postgres() {}

    /**
     * @param database on PostgreSQL
     * @param retention which finished jobs are kept
     * @return the parts of a store on this database
     */
    public static Parts parts(Database database, Retention retention) {
        PostgresClaim claim = new PostgresClaim(database.dialect());
        return new Parts(
                new PostgresEnqueue(database.dialect()),
                new StrategyChoice(
                        Strategy.SKIP_LOCKED, "PostgreSQL has FOR UPDATE SKIP LOCKED and UPDATE … RETURNING"),
                request -> database.autocommit(connection -> claim.claim(connection, request)),
                new PostgresComplete(database.dialect(), !retention.completed().isZero()));
    }
}
