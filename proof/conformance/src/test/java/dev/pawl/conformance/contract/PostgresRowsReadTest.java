package dev.pawl.conformance.contract;

import dev.pawl.api.Strategy;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

class PostgresRowsReadTest extends DatabaseTest implements RowsReadContract {
    @Override
    TestServer server() {
        return TestServers.postgres();
    }

    @Override
    Strategy strategy() {
        return Strategy.AUTO;
    }
}
