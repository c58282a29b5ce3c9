package dev.pawl.conformance.contract;

import dev.pawl.api.Strategy;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

@OneOfInnoDbRowsRead
class MariaDbRowsReadTest extends DatabaseTest implements RowsReadContract {
    @Override
    TestServer server() {
        return TestServers.mariaDb();
    }

    @Override
    Strategy strategy() {
        return Strategy.AUTO;
    }
}
