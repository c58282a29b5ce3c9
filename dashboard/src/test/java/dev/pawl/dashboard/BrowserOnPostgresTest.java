package dev.pawl.dashboard;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

class BrowserOnPostgresTest extends BrowserOnDatabases {
    @Override
    TestServer server() {
        return TestServers.postgres();
    }
}
