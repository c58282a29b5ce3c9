package dev.pawl.dashboard;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** What a page does in a browser hardly depends on the database. */
@EnabledIfEnvironmentVariable(named = "PAWL_CONTRACTS", matches = "all")
class BrowserOnPostgresTest extends BrowserOnDatabases {
    @Override
    TestServer server() {
        return TestServers.postgres();
    }
}
