package dev.pawl.conformance.contract;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** On MariaDB, where a schema is another database. */
@Execution(ExecutionMode.CONCURRENT)
@OneOfUnusualMariaDb
class MariaDbAwayTest extends AwayConformance {
    @Override
    TestServer server() {
        return TestServers.mariaDb();
    }
}
