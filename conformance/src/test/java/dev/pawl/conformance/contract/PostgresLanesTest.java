package dev.pawl.conformance.contract;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

class PostgresLanesTest extends LanesConformance {
    @Override
    TestServer server() {
        return TestServers.postgres();
    }
}
