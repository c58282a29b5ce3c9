package dev.pawl.conformance.contract;

import dev.pawl.conformance.server.TestServer;
import dev.pawl.conformance.server.TestServers;

class MariaDbStrategyTest extends StrategyTest {
    @Override
    TestServer server() {
        return TestServers.mariaDb();
    }
}
