package dev.pawl.specification.faults;

import dev.pawl.servers.TestServers;
import dev.pawl.specification.ServerStage;
import dev.pawl.specification.Stage;
import dev.pawl.specification.faults.EngineError.Driver;
import java.sql.SQLException;
import java.util.Set;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

@EnabledIfEnvironmentVariable(named = "PAWL_TEST_MYSQL_URL", matches = "jdbc:.*")
class MySqlFaultsTest extends FaultsTest {
    @Override
    Stage open() throws SQLException {
        return new ServerStage(TestServers.mySql().orElseThrow());
    }

    @Override
    long programs() {
        return 8;
    }

    @Override
    Set<Driver> drivers() {
        return Set.of(Driver.MYSQL);
    }
}
