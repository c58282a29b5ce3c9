package dev.pawl.conformance.contract;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

class SqliteConformanceTest extends Conformance {
    @Override
    TestServer server() {
        return TestServers.sqlite();
    }
}
