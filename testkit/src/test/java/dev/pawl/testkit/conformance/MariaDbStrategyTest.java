package dev.pawl.testkit.conformance;

import dev.pawl.testkit.server.TestServer;
import dev.pawl.testkit.server.TestServers;

class MariaDbStrategyTest extends StrategyTest {
    @Override
    TestServer server() {
        return TestServers.mariaDb();
    }
}
