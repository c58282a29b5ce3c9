package dev.pawl.testkit.chaos;

import dev.pawl.Strategy;
import dev.pawl.testkit.server.TestDatabase;
import dev.pawl.testkit.server.TestServer;
import dev.pawl.testkit.server.TestServers;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code kill -9} of workers, and of the server under them. */
class KillTest {
    private static final int JOBS = 20_000;

    private static void killWorkersOn(TestServer server) throws Exception {
        try (TestDatabase database = server.createDatabase();
                Chaos chaos = new Chaos(database, JOBS)) {
            chaos.startWorkers(3);
            chaos.untilAllIsDone(chaos.killWorkers(6, new Random()));
            chaos.assertEveryPromiseHeld();
        }
    }

    static List<Strategy> strategies() {
        return List.of(
                Strategy.optimistic(Strategy.Optimistic.FOLLOW_WORKERS, Strategy.Pick.UNIFORM),
                Strategy.optimistic(1, Strategy.Pick.FIRST),
                Strategy.PESSIMISTIC,
                new Strategy.Pessimistic(5, true),
                Strategy.TRANSACTIONAL);
    }

    private static void killWorkersOn(TestServer server, Strategy strategy) throws Exception {
        try (TestDatabase database = server.createDatabase();
                Chaos chaos = new Chaos(database, 2_000, strategy)) {
            chaos.startWorkers(2);
            chaos.untilAllIsDone(chaos.killWorkers(2, new Random()));
            chaos.assertEveryPromiseHeld();
        }
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void workersOfEveryStrategyAreKilledOnSqlite(Strategy strategy) throws Exception {
        killWorkersOn(TestServers.sqlite(), strategy);
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void workersOfEveryStrategyAreKilledOnPostgres(Strategy strategy) throws Exception {
        killWorkersOn(TestServers.postgres(), strategy);
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void workersOfEveryStrategyAreKilledOnMariaDb(Strategy strategy) throws Exception {
        killWorkersOn(TestServers.mariaDb(), strategy);
    }

    @ParameterizedTest
    @MethodSource("strategies")
    @EnabledIfEnvironmentVariable(named = "PAWL_TEST_MYSQL_URL", matches = "jdbc:.*")
    void workersOfEveryStrategyAreKilledOnMySql(Strategy strategy) throws Exception {
        killWorkersOn(TestServers.mySql().orElseThrow(), strategy);
    }

    @Test
    void workersAreKilledOnSqlite() throws Exception {
        killWorkersOn(TestServers.sqlite());
    }

    @Test
    void workersAreKilledOnPostgres() throws Exception {
        killWorkersOn(TestServers.postgres());
    }

    @Test
    void workersAreKilledOnMariaDb() throws Exception {
        killWorkersOn(TestServers.mariaDb());
    }

    @Test
    @EnabledIfEnvironmentVariable(named = "PAWL_TEST_MYSQL_URL", matches = "jdbc:.*")
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
                TimeUnit.MILLISECONDS.sleep(800 + random.nextInt(1000)); // a random moment is the point
                server.kill();
                TimeUnit.MILLISECONDS.sleep(random.nextInt(3000)); // sometimes longer than a lease
                server.start();
                return round < 2;
            });
            chaos.assertEveryPromiseHeld();
        }
    }

    @Test
    void theServerIsKilledUnderLoadPostgres() throws Exception {
        killServer(TestServers.newPostgres());
    }

    @Test
    void theServerIsKilledUnderLoadMariaDb() throws Exception {
        killServer(TestServers.newMariaDb());
    }
}
