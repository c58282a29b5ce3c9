package dev.pawl.conformance.contract;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("dev.pawl.conformance.TestedStrategies#chosen")
@OneOfStrategies
class SqliteStrategyTest extends StrategyTest {
    @Override
    TestServer server() {
        return TestServers.sqlite();
    }
}
