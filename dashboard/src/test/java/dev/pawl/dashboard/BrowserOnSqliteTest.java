package dev.pawl.dashboard;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

class BrowserOnSqliteTest extends BrowserOnDatabases {
    @Override
    TestServer server() {
        return TestServers.sqlite();
    }
}
