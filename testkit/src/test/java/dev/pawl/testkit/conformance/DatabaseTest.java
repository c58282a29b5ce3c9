package dev.pawl.testkit.conformance;

import dev.pawl.Strategy;
import dev.pawl.testkit.server.TestDatabase;
import dev.pawl.testkit.server.TestServer;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** A database for the class and a queue with tables of its own for each test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DatabaseTest implements Contract {
    private @Nullable TestDatabase testDatabase;
    private @Nullable Fixture fixture;

    abstract TestServer server();

    /** {@return what workers are started with} */
    Strategy strategy() {
        return Strategy.AUTO;
    }

    @BeforeAll
    void createDatabase() {
        testDatabase = server().createDatabase();
    }

    @BeforeEach
    void createQueue() throws SQLException {
        fixture = new Fixture(testDatabase(), strategy());
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
        if (testDatabase == null) {
            throw new IllegalStateException("not within a test");
        }
        return testDatabase;
    }

    @AfterEach
    void closeQueue() {
        fixture().close();
    }

    @AfterAll
    void dropDatabase() {
        testDatabase().close();
    }
}
