package dev.pawl.testkit.conformance;

import dev.pawl.testkit.server.TestServer;
import dev.pawl.testkit.server.TestServers;

class MariaDbConformanceTest extends Conformance {
    @Override
    TestServer server() {
        return TestServers.mariaDb();
    }
}
