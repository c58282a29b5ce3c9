package dev.pawl.conformance.contract;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

class SqliteStrategyTest extends StrategyTest {
    @Override
    TestServer server() {
        return TestServers.sqlite();
    }
}
