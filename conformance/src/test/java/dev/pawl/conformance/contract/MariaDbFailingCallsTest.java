package dev.pawl.conformance.contract;

import dev.pawl.conformance.Dealt;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

@Dealt(number = 1, of = 2, all = "PAWL_CALLS")
class MariaDbFailingCallsTest extends FailingCallsTest {
    @Override
    TestServer server() {
        return TestServers.mariaDb();
    }
}
