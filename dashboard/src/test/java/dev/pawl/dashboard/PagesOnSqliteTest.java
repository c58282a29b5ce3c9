package dev.pawl.dashboard;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

class PagesOnSqliteTest extends PagesOnDatabases {
    @Override
    TestServer server() {
        return TestServers.sqlite();
    }
}
