package dev.pawl.testkit.conformance;

import dev.pawl.testkit.server.TestServer;
import dev.pawl.testkit.server.TestServers;

class SqliteConformanceTest extends Conformance {
    @Override
    TestServer server() {
        return TestServers.sqlite();
    }
}
