package dev.pawl.dashboard;

import dev.pawl.servers.FullTier;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

/** What a page does in a browser hardly depends on the database. */
@FullTier(group = "PAWL_CONTRACTS")
class BrowserOnPostgresTest extends BrowserOnDatabases {
    @Override
    TestServer server() {
        return TestServers.postgres();
    }
}
