package dev.pawl.conformance.contract;

import dev.pawl.conformance.server.TestServer;
import dev.pawl.conformance.server.TestServers;

class SqliteConformanceTest extends Conformance {
    @Override
    TestServer server() {
        return TestServers.sqlite();
    }
}
