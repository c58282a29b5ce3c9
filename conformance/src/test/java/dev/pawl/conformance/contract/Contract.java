package dev.pawl.conformance.contract;

import dev.pawl.servers.TestDatabase;

/** Tests that every database must pass. A test takes the {@link Fixture} that it works on as a parameter. */
interface Contract {
    /** {@return the queue of the present test; the same that its parameter is} */
    Fixture fixture();

    /** {@return the database that the tests of a class share, each with tables of its own} */
    TestDatabase testDatabase();

    /** {@return whether the live table is partitioned} */
    default boolean liveTableHasParts() {
        return false;
    }
}
