package dev.pawl.conformance.contract;

import dev.pawl.servers.FullTier;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

@FullTier(group = "PAWL_CALLS")
@EnabledIfEnvironmentVariable(named = "PAWL_TEST_MYSQL_URL", matches = "jdbc:.*")
class MySqlFailingCallsTest extends FailingCallsTest {
    @Override
    TestServer server() {
        return TestServers.mySql().orElseThrow();
    }
}
