package dev.pawl.conformance.contract;

import dev.pawl.conformance.server.TestServer;
import dev.pawl.conformance.server.TestServers;

class SqliteStrategyTest extends StrategyTest {
    @Override
    TestServer server() {
        return TestServers.sqlite();
    }
}
