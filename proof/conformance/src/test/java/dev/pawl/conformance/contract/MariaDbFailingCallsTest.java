package dev.pawl.conformance.contract;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

@OneOfFailingCalls
class MariaDbFailingCallsTest extends FailingCallsTest {
    @Override
    TestServer server() {
        return TestServers.mariaDb();
    }
}
