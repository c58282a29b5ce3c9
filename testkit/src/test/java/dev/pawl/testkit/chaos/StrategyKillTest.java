package dev.pawl.testkit.chaos;

import dev.pawl.Strategy;
import dev.pawl.testkit.server.TestDatabase;
import dev.pawl.testkit.server.TestServer;
import dev.pawl.testkit.server.TestServers;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code kill -9} of workers of every strategy. They mostly wait for leases, so some run side by side. */
@Execution(ExecutionMode.CONCURRENT)
class StrategyKillTest {
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
}
