package dev.pawl.dashboard;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

class AlertsOnPostgresTest extends AlertsOnDatabases {
    @Override
    TestServer server() {
        return TestServers.postgres();
    }
}
