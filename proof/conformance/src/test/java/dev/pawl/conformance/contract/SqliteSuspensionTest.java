package dev.pawl.conformance.contract;

import dev.pawl.servers.FullTier;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

@FullTier(group = "PAWL_SLEEP")
class SqliteSuspensionTest extends SuspensionTest {
    @Override
    TestServer server() {
        return TestServers.sqlite();
    }
}
