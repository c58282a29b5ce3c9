package dev.pawl.conformance.contract;

import dev.pawl.conformance.Dealt;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("dev.pawl.conformance.TestedStrategies#chosen")
@Dealt(number = 0, of = 2, others = "PAWL_TEST_MYSQL_URL", all = "PAWL_INNODB")
class MariaDbStrategyTest extends StrategyTest {
    @Override
    TestServer server() {
        return TestServers.mariaDb();
    }
}
