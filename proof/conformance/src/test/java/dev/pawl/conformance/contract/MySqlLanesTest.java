package dev.pawl.conformance.contract;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

@EnabledIfEnvironmentVariable(named = "PAWL_TEST_MYSQL_URL", matches = "jdbc:.*")
@OneOfMySql
class MySqlLanesTest extends LanesConformance {
    @Override
    TestServer server() {
        return TestServers.mySql().orElseThrow();
    }
}
