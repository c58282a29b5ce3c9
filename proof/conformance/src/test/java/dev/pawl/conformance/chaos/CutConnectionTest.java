package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Strategy;
import dev.pawl.conformance.Drawn;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Connections are cut around their commits, when the client cannot know whether the commit took place. */
@Drawn(number = 10, of = 11, run = 1, all = "PAWL_KILLS")
@Execution(ExecutionMode.CONCURRENT)
class CutConnectionTest {
    private static final Pattern ADDRESS = Pattern.compile("://([^/:?]+):(\\d+)/");

    private static void cutConnectionsTo(TestServer server, Strategy strategy) throws Exception {
        try (TestDatabase database = server.createDatabase()) {
            Matcher address = ADDRESS.matcher(database.jdbcUrl());
            assertThat(address.find()).as(database.jdbcUrl()).isTrue();
            try (CutProxy proxy = new CutProxy(Integer.parseInt(address.group(2)));
                    Chaos chaos = new Chaos(database, 2_000, strategy)) {
                String proxied = address.replaceFirst("://127.0.0.1:" + proxy.port() + "/");
                // Without prepareThreshold=0, the driver sends the text of a COMMIT only a few times, and the proxy
                // would miss the other commits.
                chaos.workersUrls(server.name().equals("postgresql") ? proxied + "&prepareThreshold=0" : proxied);
                chaos.startWorkers(2);
                chaos.untilAllIsDone(round -> false);
                proxy.stopCutting();
                chaos.assertEveryPromiseHeld();
                assertThat(proxy.cutsAfterCommit()).as("cuts after a commit").isGreaterThan(5);
                assertThat(proxy.cutsBeforeCommit()).as("cuts before a commit").isGreaterThan(5);
            }
        }
    }

    @Test
    @Drawn(number = 0, of = 5, run = 1, all = "PAWL_KILLS")
    void connectionsAreCutOnPostgres() throws Exception {
        cutConnectionsTo(TestServers.postgres(), Strategy.AUTO);
    }

    @Test
    @Drawn(number = 1, of = 5, run = 1, all = "PAWL_KILLS")
    void connectionsOfTransactionalWorkersAreCutOnPostgres() throws Exception {
        cutConnectionsTo(TestServers.postgres(), Strategy.TRANSACTIONAL);
    }

    @Test
    @Drawn(number = 2, of = 5, run = 1, all = "PAWL_KILLS")
    void connectionsAreCutOnMariaDb() throws Exception {
        cutConnectionsTo(TestServers.mariaDb(), Strategy.AUTO);
    }

    @Test
    @Drawn(number = 3, of = 5, run = 1, all = "PAWL_KILLS")
    void connectionsOfMarkingWorkersAreCutOnMariaDb() throws Exception {
        cutConnectionsTo(TestServers.mariaDb(), new Strategy.Pessimistic(5, true));
    }

    @Test
    @EnabledIfEnvironmentVariable(named = "PAWL_TEST_MYSQL_URL", matches = "jdbc:.*")
    @Drawn(number = 4, of = 5, run = 1, all = "PAWL_KILLS")
    void connectionsAreCutOnMySql() throws Exception {
        cutConnectionsTo(TestServers.mySql().orElseThrow(), Strategy.AUTO);
    }
}
