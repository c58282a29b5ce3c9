package dev.pawl.dashboard;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

class AlertsOnSqliteTest extends AlertsOnDatabases {
    @Override
    TestServer server() {
        return TestServers.sqlite();
    }
}
