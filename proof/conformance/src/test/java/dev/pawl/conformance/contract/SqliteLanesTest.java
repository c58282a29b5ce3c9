package dev.pawl.conformance.contract;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

@OneOfSqlite
class SqliteLanesTest extends LanesConformance {
    @Override
    TestServer server() {
        return TestServers.sqlite();
    }
}
