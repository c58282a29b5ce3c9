package dev.pawl.conformance.contract;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

class PostgresStrategyTest extends StrategyTest {
    @Override
    TestServer server() {
        return TestServers.postgres();
    }
}
