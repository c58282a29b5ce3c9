package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.servers.Delay;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.cluster.Cluster;
import dev.pawl.servers.cluster.ClusterKind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Multi-primary clusters. Workers and producers use all nodes, while each node is killed and restarted, and workers are killed. Run by
 * {@code mvn verify -Dpawl.clusters=FOLDER} where FOLDER has the scripts that {@link Cluster} describes.
 */
@Isolated
@EnabledIfSystemProperty(named = "pawl.clusters", matches = ".+")
class ClusterTest {
    private static final int JOBS = 1_000;

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int intOf(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        }
    }

    private static void nodesAndWorkersAreKilled(Cluster cluster) throws Exception {
        execute(cluster.url(1, "jobs"), "DROP DATABASE IF EXISTS pawl_cluster");
        execute(cluster.url(1, "jobs"), "CREATE DATABASE pawl_cluster");
        List<String> urls = IntStream.rangeClosed(1, Cluster.NODES)
                .mapToObj(node -> cluster.url(node, "pawl_cluster"))
                .toList();
        execute(urls.get(0), "CREATE TABLE chaos_order (job_id bigint PRIMARY KEY, number int NOT NULL)");
        Random random = new Random();
        List<Integer> victims = new ArrayList<>(List.of(1, 2, 3));
        Collections.shuffle(victims, random);
        try (Chaos chaos = new Chaos(new TestDatabase(urls.get(0), () -> {}), JOBS)) {
            chaos.deadline(Duration.ofMinutes(6));
            chaos.workersUrls(urls.toArray(String[]::new));
            chaos.startWorkers(Cluster.NODES);
            chaos.awaitWorkers();
            Chaos.FaultInjection killWorkers = chaos.killWorkers(victims.size(), random);
            try (Producers producers = new Producers(urls)) {
                chaos.untilAllIsDone(round -> {
                    if (round == victims.size()) {
                        producers.stop();
                        return false;
                    }
                    Delay.random(2_000 + random.nextInt(2_000));
                    cluster.kill(victims.get(round));
                    Delay.random(random.nextInt(8_000)); // sometimes longer than a lease
                    cluster.rejoin(victims.get(round));
                    return killWorkers.inject(round);
                });
                int orders = intOf(urls.get(0), "SELECT COUNT(*) FROM chaos_order");
                chaos.expectMore(orders);
                System.out.printf("%,d orders placed on three nodes, %,d refused%n", orders, producers.refused());
                assertThat(orders).isPositive();
            }
            chaos.assertEveryPromiseHeld();
            assertThat(intOf(
                            urls.get(0),
                            "SELECT COUNT(*) FROM chaos_order o WHERE NOT EXISTS"
                                    + " (SELECT 1 FROM chaos_effect e WHERE e.job_id = o.job_id)"))
                    .as("orders whose job was not run")
                    .isZero();
        }
    }

    /** A lock is valid on one node only, so transactions must conflict by the rows that they change. */
    @Test
    void limitsHoldOnAllNodesOfAGaleraCluster(@TempDir Path folder) throws Exception {
        limitsHoldOnAllNodes(ClusterKind.GALERA, folder);
    }

    @Test
    void limitsHoldOnAllMembersOfAGroupReplication(@TempDir Path folder) throws Exception {
        limitsHoldOnAllNodes(ClusterKind.GROUP_REPLICATION, folder);
    }

    private static void limitsHoldOnAllNodes(ClusterKind kind, Path folder) throws Exception {
        kind.assume();
        try (Cluster cluster = kind.start()) {
            execute(cluster.url(1, "jobs"), "CREATE DATABASE pawl_limits");
            List<String> urls = IntStream.rangeClosed(1, Cluster.NODES)
                    .mapToObj(node -> cluster.url(node, "pawl_limits"))
                    .toList();
            new LimitChaos(folder, urls).disturb(new TestDatabase(urls.get(0), () -> {}));
        }
    }

    @Test
    void nodesOfAGaleraClusterAreKilled() throws Exception {
        ClusterKind.GALERA.assume();
        try (Cluster cluster = ClusterKind.GALERA.start()) {
            nodesAndWorkersAreKilled(cluster);
        }
    }

    @Test
    void nodesOfAGroupReplicationAreKilled() throws Exception {
        ClusterKind.GROUP_REPLICATION.assume();
        try (Cluster cluster = ClusterKind.GROUP_REPLICATION.start()) {
            nodesAndWorkersAreKilled(cluster);
        }
    }
}
