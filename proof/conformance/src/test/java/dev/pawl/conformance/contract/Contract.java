package dev.pawl.conformance.contract;

import dev.pawl.servers.TestDatabase;

/** Tests that every database must pass. A test takes its {@link Fixture} as a parameter. */
interface Contract {
    /** {@return the fixture of the current test: the object that the test also gets as its parameter} */
    Fixture fixture();

    /** {@return the database of the class; each test has its own tables in it} */
    TestDatabase testDatabase();

    /** {@return whether the live table is partitioned} */
    default boolean liveTableHasParts() {
        return false;
    }
}
