package dev.pawl.specification.concurrent;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

class SqliteConcurrentTest extends ConcurrentTest {
    @Override
    TestServer server() {
        return TestServers.sqlite();
    }
}
