package dev.pawl.conformance.contract;

import dev.pawl.conformance.Dealt;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

@Dealt(number = 0, of = 2, others = "PAWL_TEST_MYSQL_URL", all = "PAWL_INNODB")
class MariaDbLanesTest extends LanesConformance {
    @Override
    TestServer server() {
        return TestServers.mariaDb();
    }
}
