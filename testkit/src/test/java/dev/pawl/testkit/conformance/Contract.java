package dev.pawl.testkit.conformance;

import dev.pawl.Strategy;
import dev.pawl.testkit.server.TestDatabase;
import java.util.List;

/** Tests that every database must pass. */
interface Contract {
    /** {@return the queue of the present test} */
    Fixture fixture();

    /** {@return the database that the tests of a class share, each with tables of its own} */
    TestDatabase testDatabase();

    /** {@return every claim strategy that works everywhere, and the database's own} */
    static List<Strategy> strategies() {
        return List.of(
                Strategy.AUTO,
                Strategy.optimistic(1, Strategy.Pick.FIRST),
                Strategy.optimistic(50, Strategy.Pick.UNIFORM),
                Strategy.optimistic(Strategy.Optimistic.FOLLOW_WORKERS, Strategy.Pick.EXPONENTIAL),
                Strategy.PESSIMISTIC,
                new Strategy.Pessimistic(0, true),
                Strategy.TRANSACTIONAL);
    }
}
