package dev.pawl.conformance.contract;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@EnabledIfEnvironmentVariable(named = "PAWL_TEST_MYSQL_URL", matches = "jdbc:.*")
@ParameterizedClass(name = "{0}")
@MethodSource("dev.pawl.conformance.TestedStrategies#chosen")
@OneOfStrategies
class MySqlStrategyTest extends StrategyTest {
    @Override
    TestServer server() {
        return TestServers.mySql().orElseThrow();
    }
}
