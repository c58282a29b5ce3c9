package dev.pawl.specification.faults;

import dev.pawl.servers.TestServers;
import dev.pawl.specification.ServerStage;
import dev.pawl.specification.Stage;
import dev.pawl.specification.faults.EngineError.Driver;
import java.sql.SQLException;
import java.util.Set;

class PostgresFaultsTest extends FaultsTest {
    @Override
    Stage open() throws SQLException {
        return new ServerStage(TestServers.postgres());
    }

    @Override
    long programs() {
        return 8;
    }

    @Override
    Set<Driver> drivers() {
        return Set.of(Driver.POSTGRES);
    }
}
