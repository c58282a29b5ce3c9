package dev.pawl.conformance.contract;

import dev.pawl.conformance.Drawn;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Rows are tried on a tuned PostgreSQL and on SQLite each time, on one of the others in turn; lanes and strategies everywhere. */
@EnabledIfEnvironmentVariable(named = "PAWL_TEST_MYSQL_URL", matches = "jdbc:.*")
@Drawn(number = 0, of = 3, run = 1, all = "PAWL_ROWS")
class MySqlConformanceTest extends Conformance {
    @Override
    TestServer server() {
        return TestServers.mySql().orElseThrow();
    }
}
