package dev.pawl.specification;

import dev.pawl.servers.TestServers;
import java.sql.SQLException;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

@EnabledIfEnvironmentVariable(named = "PAWL_TEST_MYSQL_URL", matches = "jdbc:.*")
class MySqlProgramsTest extends ProgramsTest {
    @Override
    Stage open() throws SQLException {
        return new ServerStage(TestServers.mySql().orElseThrow());
    }
}
