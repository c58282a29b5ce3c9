package dev.pawl.specification;

import dev.pawl.servers.TestServers;
import java.sql.SQLException;

class MariaDbProgramsTest extends ProgramsTest {
    @Override
    Stage open() throws SQLException {
        return new ServerStage(TestServers.mariaDb());
    }
}
