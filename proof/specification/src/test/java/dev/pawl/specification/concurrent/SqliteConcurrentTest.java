package dev.pawl.specification.concurrent;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import dev.pawl.specification.faults.EngineError.Driver;
import java.util.Set;

class SqliteConcurrentTest extends ConcurrentTest {
    @Override
    TestServer server() {
        return TestServers.sqlite();
    }

    @Override
    Set<Driver> drivers() {
        return Set.of(Driver.values());
    }
}
