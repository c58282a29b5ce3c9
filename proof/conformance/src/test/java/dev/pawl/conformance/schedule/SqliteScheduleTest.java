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
    List<Plant> plants() {
        return Stream.of(Plant.everywhere(), Plant.ofOneWriter())
                .flatMap(List::stream)
                .toList();
    }
}
