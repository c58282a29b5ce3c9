package dev.pawl.dashboard;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

class PagesOnMariaDbTest extends PagesOnDatabases {
    @Override
    TestServer server() {
        return TestServers.mariaDb();
    }
}
