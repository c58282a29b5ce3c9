package dev.pawl.specification.faults;

import dev.pawl.servers.TestServers;
import dev.pawl.specification.ServerStage;
import dev.pawl.specification.Stage;
import java.sql.SQLException;

class MariaDbFaultsTest extends FaultsTest {
    @Override
    Stage open() throws SQLException {
        return new ServerStage(TestServers.mariaDb());
    }

    @Override
    long programs() {
        return 8;
    }
}
