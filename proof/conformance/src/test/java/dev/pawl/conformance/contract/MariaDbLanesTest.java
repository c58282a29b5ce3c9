package dev.pawl.conformance.contract;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

@OneOfMariaDb
class MariaDbLanesTest extends LanesConformance {
    @Override
    TestServer server() {
        return TestServers.mariaDb();
    }
}
