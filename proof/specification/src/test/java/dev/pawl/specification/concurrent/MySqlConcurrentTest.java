package dev.pawl.specification.concurrent;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

@EnabledIfEnvironmentVariable(named = "PAWL_TEST_MYSQL_URL", matches = "jdbc:.*")
class MySqlConcurrentTest extends ConcurrentTest {
    @Override
    TestServer server() {
        return TestServers.mySql().orElseThrow();
    }
}
