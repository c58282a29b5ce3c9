package dev.pawl.conformance.contract;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** On PostgreSQL. */
@Execution(ExecutionMode.CONCURRENT)
@OneOfPostgres
class PostgresAwayTest extends AwayConformance {
    @Override
    TestServer server() {
        return TestServers.postgres();
    }
}
