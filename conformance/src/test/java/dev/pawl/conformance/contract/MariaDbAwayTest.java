package dev.pawl.conformance.contract;

import dev.pawl.conformance.Drawn;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** On MariaDB, where a schema is another database. */
@Drawn(number = 1, of = 2, run = 1, all = "PAWL_ROWS")
@Execution(ExecutionMode.CONCURRENT)
class MariaDbAwayTest extends AwayConformance {
    @Override
    TestServer server() {
        return TestServers.mariaDb();
    }
}
