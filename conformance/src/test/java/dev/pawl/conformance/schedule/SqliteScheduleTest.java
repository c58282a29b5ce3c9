package dev.pawl.conformance.schedule;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.util.List;

class SqliteScheduleTest extends ScheduleTest {
    @Override
    TestServer server() {
        return TestServers.sqlite();
    }

    @Override
    List<Plant> plants() {
        return Plant.ofOneWriter();
    }
}
