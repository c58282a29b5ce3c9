package dev.pawl.conformance.contract;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

@OneOfPostgres
class PostgresLanesTest extends LanesConformance {
    @Override
    TestServer server() {
        return TestServers.postgres();
    }
}
