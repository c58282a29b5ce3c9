package dev.pawl.conformance.schedule;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.util.List;
import java.util.stream.Stream;

class SqliteScheduleTest extends ScheduleTest {
    @Override
    TestServer server() {
        return TestServers.sqlite();
    }

    @Override
    List<PlantedFault> faults() {
        return Stream.of(PlantedFault.everywhere(), PlantedFault.ofOneWriter())
                .flatMap(List::stream)
                .toList();
    }
}
