package dev.pawl.specification.concurrent;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

class PostgresConcurrentTest extends ConcurrentTest {
    @Override
    TestServer server() {
        return TestServers.postgres();
    }
}
