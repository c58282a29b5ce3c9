package dev.pawl.specification.concurrent;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import dev.pawl.specification.faults.EngineError.Driver;
import java.util.Set;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

@EnabledIfEnvironmentVariable(named = "PAWL_TEST_MYSQL_URL", matches = "jdbc:.*")
class MySqlConcurrentTest extends ConcurrentTest {
    @Override
    TestServer server() {
        return TestServers.mySql().orElseThrow();
    }

    @Override
    Set<Driver> drivers() {
        return Set.of(Driver.MYSQL);
    }
}
