package dev.pawl.conformance.contract;

import dev.pawl.api.Strategy;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A database for each class, and a queue with its own tables for each test. */
@ExtendWith(FixtureExtension.class)
abstract class DatabaseTest implements Contract {
    private @Nullable Fixture fixture;

    abstract TestServer server();

    /** {@return the strategy under test} */
    Strategy strategy() {
        return Strategy.ROWS;
    }

    /** {@return whether connections have another default schema than that of the tables} */
    boolean isAway() {
        return false;
    }

    /** {@return the queue of one test, in the class's database} */
    Fixture newFixture(Schemas schemas) throws SQLException {
        return new Fixture(schemas, strategy());
    }

    @BeforeEach
    void remember(Fixture fixture) {
        this.fixture = fixture;
    }

    @Override
    public Fixture fixture() {
        if (fixture == null) {
            throw new IllegalStateException("not within a test");
        }
        return fixture;
    }

    @Override
    public TestDatabase testDatabase() {
        return fixture().testDatabase;
    }
}
