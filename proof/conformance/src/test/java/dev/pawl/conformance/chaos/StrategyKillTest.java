package dev.pawl.conformance.chaos;

import dev.pawl.api.Strategy;
import dev.pawl.conformance.Drawn;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.util.Random;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code kill -9} of workers of every strategy but the default, which {@link KillTest} covers. The tests mostly wait for leases, so some
 * run concurrently.
 */
@Drawn(number = 1, of = 11, run = 1, all = "PAWL_KILLS")
@Execution(ExecutionMode.CONCURRENT)
class StrategyKillTest {
    private static void killWorkersOn(TestServer server, Strategy strategy) throws Exception {
        try (TestDatabase database = server.createDatabase();
                Chaos chaos = new Chaos(database, 1_000, strategy)) {
            chaos.keepBusy(2_000);
            chaos.startWorkers(2);
            chaos.untilAllIsDone(chaos.killWorkers(2, new Random()));
            chaos.assertEveryPromiseHeld();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.conformance.TestedStrategies#killed")
    @Drawn(number = 0, of = 4, run = 1, all = "PAWL_KILLS")
    void workersOfEveryStrategyAreKilledOnSqlite(Strategy strategy) throws Exception {
        killWorkersOn(TestServers.sqlite(), strategy);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.conformance.TestedStrategies#killed")
    @Drawn(number = 1, of = 4, run = 1, all = "PAWL_KILLS")
    void workersOfEveryStrategyAreKilledOnPostgres(Strategy strategy) throws Exception {
        killWorkersOn(TestServers.postgres(), strategy);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.conformance.TestedStrategies#killedOnInnoDb")
    @Drawn(number = 2, of = 4, run = 1, all = "PAWL_KILLS")
    void workersOfEveryStrategyAreKilledOnMariaDb(Strategy strategy) throws Exception {
        killWorkersOn(TestServers.mariaDb(), strategy);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.conformance.TestedStrategies#killedOnInnoDb")
    @EnabledIfEnvironmentVariable(named = "PAWL_TEST_MYSQL_URL", matches = "jdbc:.*")
    @Drawn(number = 3, of = 4, run = 1, all = "PAWL_KILLS")
    void workersOfEveryStrategyAreKilledOnMySql(Strategy strategy) throws Exception {
        killWorkersOn(TestServers.mySql().orElseThrow(), strategy);
    }
}
