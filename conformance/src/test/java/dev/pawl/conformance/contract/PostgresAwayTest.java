package dev.pawl.conformance.contract;

import dev.pawl.conformance.Drawn;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** On PostgreSQL. */
@Drawn(number = 0, of = 2, run = 1, all = "PAWL_ROWS")
@Execution(ExecutionMode.CONCURRENT)
class PostgresAwayTest extends AwayConformance {
    @Override
    TestServer server() {
        return TestServers.postgres();
    }
}
