package dev.pawl.conformance.chaos;

import dev.pawl.conformance.Draw;
import dev.pawl.conformance.Drawn;
import dev.pawl.servers.Delay;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** {@code kill -9} of workers, and of the server under them. */
@Execution(ExecutionMode.CONCURRENT)
class KillTest {
    private static final boolean ALL = Draw.isAll("PAWL_KILLS");
    private static final int JOBS = ALL ? 10_000 : 3_000;
    private static final int KILLS = ALL ? 6 : 3;

    private static void killWorkersOn(TestServer server) throws Exception {
        try (TestDatabase database = server.createDatabase();
                Chaos chaos = new Chaos(database, 2_000)) {
            chaos.keepBusy(2 * JOBS);
            chaos.startWorkers(3);
            chaos.untilAllIsDone(chaos.killWorkers(KILLS, new Random()));
            chaos.assertEveryPromiseHeld();
        }
    }

    @Test
    @Drawn(number = 0, of = 4, run = 1, all = "PAWL_KILLS")
    void workersAreKilledOnSqlite() throws Exception {
        killWorkersOn(TestServers.sqlite());
    }

    @Test
    @Drawn(number = 1, of = 4, run = 1, all = "PAWL_KILLS")
    void workersAreKilledOnPostgres() throws Exception {
        killWorkersOn(TestServers.postgres());
    }

    @Test
    @Drawn(number = 2, of = 4, run = 1, all = "PAWL_KILLS")
    void workersAreKilledOnMariaDb() throws Exception {
        killWorkersOn(TestServers.mariaDb());
    }

    @Test
    @EnabledIfEnvironmentVariable(named = "PAWL_TEST_MYSQL_URL", matches = "jdbc:.*")
    @Drawn(number = 3, of = 4, run = 1, all = "PAWL_KILLS")
    void workersAreKilledOnMySql() throws Exception {
        killWorkersOn(TestServers.mySql().orElseThrow());
    }

    private static void killServer(TestServer own) throws Exception {
        try (TestServer server = own;
                TestDatabase database = server.createDatabase();
                Chaos chaos = new Chaos(database, JOBS)) {
            chaos.startWorkers(2);
            chaos.awaitWorkers();
            Random random = new Random();
            chaos.untilAllIsDone(round -> {
                Delay.random(800 + random.nextInt(1000));
                server.kill();
                Delay.random(random.nextInt(3000)); // sometimes longer than a lease
                server.start();
                return round < (ALL ? 2 : 1);
            });
            chaos.assertEveryPromiseHeld();
        }
    }

    @Test
    @Drawn(number = 0, of = 2, run = 1, all = "PAWL_KILLS")
    void theServerIsKilledUnderLoadPostgres() throws Exception {
        killServer(TestServers.newPostgres());
    }

    @Test
    @Drawn(number = 1, of = 2, run = 1, all = "PAWL_KILLS")
    void theServerIsKilledUnderLoadMariaDb() throws Exception {
        killServer(TestServers.newMariaDb());
    }
}
