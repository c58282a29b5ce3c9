package dev.pawl.conformance.contract;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

@EnabledIfEnvironmentVariable(named = "PAWL_SLEEP", matches = "all")
class SqliteSleepsTest extends SleepTest {
    @Override
    TestServer server() {
        return TestServers.sqlite();
    }
}
