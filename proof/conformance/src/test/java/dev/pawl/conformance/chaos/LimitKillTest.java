package dev.pawl.conformance.chaos;

import dev.pawl.conformance.Drawn;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Kills and halts processes with limits, as {@link LimitChaos} describes. */
@Drawn(number = 9, of = 11, run = 1, all = "PAWL_KILLS")
@Execution(ExecutionMode.CONCURRENT)
class LimitKillTest {
    @TempDir
    private Path folder;

    private void disturbOn(TestServer server) throws Exception {
        try (TestDatabase database = server.createDatabase()) {
            new LimitChaos(folder, List.of(database.jdbcUrl())).disturb(database);
        }
    }

    @Test
    @Drawn(number = 0, of = 4, run = 1, all = "PAWL_KILLS")
    void limitsOnSqlite() throws Exception {
        disturbOn(TestServers.sqlite());
    }

    @Test
    @Drawn(number = 1, of = 4, run = 1, all = "PAWL_KILLS")
    void limitsOnPostgres() throws Exception {
        disturbOn(TestServers.postgres());
    }

    @Test
    @Drawn(number = 2, of = 4, run = 1, all = "PAWL_KILLS")
    void limitsOnMariaDb() throws Exception {
        disturbOn(TestServers.mariaDb());
    }

    @Test
    @Drawn(number = 3, of = 4, run = 1, all = "PAWL_KILLS")
    @EnabledIfEnvironmentVariable(named = "PAWL_TEST_MYSQL_URL", matches = "jdbc:.*")
    void limitsOnMySql() throws Exception {
        disturbOn(TestServers.mySql().orElseThrow());
    }
}
