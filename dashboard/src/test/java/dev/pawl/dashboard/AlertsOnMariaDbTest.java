package dev.pawl.dashboard;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

class AlertsOnMariaDbTest extends AlertsOnDatabases {
    @Override
    TestServer server() {
        return TestServers.mariaDb();
    }
}
