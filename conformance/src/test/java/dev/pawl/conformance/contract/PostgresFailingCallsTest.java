package dev.pawl.conformance.contract;

import dev.pawl.conformance.Dealt;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

@Dealt(number = 0, of = 2, all = "PAWL_CALLS")
class PostgresFailingCallsTest extends FailingCallsTest {
    @Override
    TestServer server() {
        return TestServers.postgres();
    }
}
