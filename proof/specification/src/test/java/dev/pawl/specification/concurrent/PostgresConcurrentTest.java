package dev.pawl.specification.concurrent;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import dev.pawl.specification.faults.EngineError.Driver;
import java.util.Set;

class PostgresConcurrentTest extends ConcurrentTest {
    @Override
    TestServer server() {
        return TestServers.postgres();
    }

    @Override
    Set<Driver> drivers() {
        return Set.of(Driver.POSTGRES);
    }
}
