package dev.pawl.conformance.schedule;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.util.List;

class PostgresScheduleTest extends ScheduleTest {
    @Override
    TestServer server() {
        return TestServers.postgres();
    }

    @Override
    List<PlantedFault> faults() {
        return PlantedFault.ofManyWriters();
    }
}
