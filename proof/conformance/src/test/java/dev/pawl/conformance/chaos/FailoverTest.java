package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.servers.Delay;
import dev.pawl.servers.cluster.Cluster;
import dev.pawl.servers.cluster.ClusterKind;
import dev.pawl.servers.cluster.PatroniNodes;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Real clusters whose primary fails while workers run and orders are placed. The test is run like {@link ClusterTest}. {@code
 * -Dpawl.failovers=N} sets how often the primary is killed.
 */
@Isolated
@Timeout(value = 1, unit = TimeUnit.HOURS)
@EnabledIfSystemProperty(named = "pawl.clusters", matches = ".+")
class FailoverTest {
    private static final int KILLS = Integer.getInteger("pawl.failovers", 3);
    static final int SOCKET_TIMEOUT = Integer.getInteger("pawl.socketTimeout", 5);
    /** HikariCP's longest pause between two attempts to connect, which it makes one after the other. */
    private static final long PAUSE_OF_POOL_MILLIS = 5_000;
    /** The longest time from when a plain program can write again until commits resume, because the pool may pause before it connects. */
    static final long PROMISED_MILLIS = PAUSE_OF_POOL_MILLIS + 2_000;

    static final int PORTIONS = 20;
    static final String DATABASE = "pawl_cluster";

    private static FailoverRun start(Cluster cluster, String firstDatabase) throws Exception {
        createDatabase(cluster, firstDatabase);
        return new FailoverRun(cluster, cluster.urlOfAll(DATABASE, SOCKET_TIMEOUT));
    }

    private static void createDatabase(Cluster cluster, String firstDatabase) throws SQLException {
        FailoverRun.execute(cluster.urlOfAll(firstDatabase, SOCKET_TIMEOUT), "CREATE DATABASE " + DATABASE);
    }

    private static void resumes(FailoverRun.Times times) {
        assertThat(times.firstOrder()).isLessThan(PROMISED_MILLIS);
        assertThat(times.firstRun()).isLessThan(PROMISED_MILLIS);
        assertThat(times.allOrders()).isLessThan(2 * PROMISED_MILLIS);
        assertThat(times.allRuns()).isLessThan(2 * PROMISED_MILLIS);
    }

    /**
     * Waits until all jobs have completed. Reads all jobs, because a job that was committed late is missing from counts and from lists of
     * available jobs until a worker finds it.
     */
    static FailoverCheck finish(FailoverRun run) throws Exception {
        run.producers.stop();
        try {
            await("the database is consistent")
                    .atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofSeconds(1))
                    .ignoreExceptions()
                    .untilAsserted(() -> new FailoverCheck(run).databaseIsConsistent());
        } finally {
            System.out.println(run.outputs());
        }
        run.endWorkers();
        FailoverCheck check = new FailoverCheck(run);
        System.out.println(check.summary());
        return check;
    }

    /** Nothing is lost, and no worker is restarted. */
    @Test
    void aSynchronousPrimaryIsKilled() throws Exception {
        synchronousPrimaryFails(KILLS, FailoverRun::kill);
    }

    /** The halted primary keeps its connections open and answers nothing; its watchdog resets it when another node has taken over. */
    @Test
    void aSynchronousPrimaryIsHalted() throws Exception {
        synchronousPrimaryFails(1, FailoverRun::haltUntilReset);
    }

    private interface Fault {
        FailoverRun.Times strike(FailoverRun run, int primary) throws Exception;
    }

    private static void synchronousPrimaryFails(int times, Fault fault) throws Exception {
        ClusterKind.PATRONI.assume();
        try (Cluster cluster = Cluster.patroni(true);
                FailoverRun run = start(cluster, "postgres")) {
            synchronousPrimaryFails(cluster, run, times, fault);
        }
    }

    private static void synchronousPrimaryFails(Cluster cluster, FailoverRun run, int times, Fault fault)
            throws Exception {
        PatroniNodes nodes = new PatroniNodes(cluster, true);
        for (int round = 0; round < times; round++) {
            nodes.awaitMembers();
            run.enqueueBacklog(PORTIONS);
            Delay.random(1_000 + new Random().nextInt(1_000));
            int primary = nodes.primary();
            resumes(fault.strike(run, primary));
            nodes.awaitDemoted(primary);
        }
        FailoverCheck check = finish(run);
        check.databaseIsConsistent();
        check.nothingIsLost();
    }

    /** All programs know only the address of the proxy. */
    @Test
    void aSynchronousPrimaryBehindHaproxyIsKilled() throws Exception {
        ClusterKind.PATRONI.assume();
        assumeTrue(Files.exists(Haproxy.PROGRAM), "there is no HAProxy here");
        try (Cluster cluster = Cluster.patroni(true);
                Haproxy proxy = new Haproxy(cluster, Cluster::patroniPort)) {
            behindAProxyIsKilled(cluster, proxy, cluster.urlThrough(proxy.port, DATABASE, SOCKET_TIMEOUT));
        }
    }

    /** PgBouncer does not search for the primary, so its target is a proxy that does. */
    @Test
    void aSynchronousPrimaryBehindPgBouncerIsKilled() throws Exception {
        ClusterKind.PATRONI.assume();
        assumeTrue(Files.exists(Haproxy.PROGRAM), "there is no HAProxy here");
        assumeTrue(Files.exists(PgBouncer.PROGRAM), "there is no PgBouncer here");
        try (Cluster cluster = Cluster.patroni(true);
                Haproxy proxy = new Haproxy(cluster, Cluster::patroniPort);
                PgBouncer pools = new PgBouncer(proxy.port)) {
            String url = cluster.urlThrough(pools.port, DATABASE, SOCKET_TIMEOUT) + "&prepareThreshold=0";
            try {
                behindAProxyIsKilled(cluster, proxy, url);
            } finally {
                System.out.println(pools.output());
            }
        }
    }

    private static void behindAProxyIsKilled(Cluster cluster, Haproxy proxy, String url) throws Exception {
        createDatabase(cluster, "postgres");
        proxy.awaitPrimary(url, "SELECT CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END");
        try (FailoverRun run = new FailoverRun(cluster, url)) {
            synchronousPrimaryFails(cluster, run, KILLS, FailoverRun::kill);
        }
    }

    /** The primary is the only member that takes writes. The proxy asks the members which of them is the primary. */
    @Test
    void theOnlyPrimaryOfAGroupReplicationIsKilled() throws Exception {
        ClusterKind.GROUP_REPLICATION.assume();
        assumeTrue(Files.exists(Haproxy.PROGRAM), "there is no HAProxy here");
        try (Cluster cluster = Cluster.groupReplication();
                GroupPrimary primary = new GroupPrimary(cluster);
                Haproxy proxy = new Haproxy(cluster, primary::port)) {
            createDatabase(cluster, "jobs");
            String url = cluster.urlThrough(proxy.port, DATABASE, SOCKET_TIMEOUT);
            proxy.awaitPrimary(url, "SELECT @@super_read_only");
            try (FailoverRun run = new FailoverRun(cluster, url)) {
                for (int round = 0; round < KILLS; round++) {
                    run.enqueueBacklog(PORTIONS);
                    Delay.random(1_000 + new Random().nextInt(1_000));
                    resumes(run.kill(primary.node()));
                    ClusterKind.GROUP_REPLICATION.awaitMembers(cluster);
                }
                FailoverCheck check = finish(run);
                check.databaseIsConsistent();
                check.nothingIsLost();
            }
        }
    }

    /** Before each kill the standbys receive nothing for a moment, so that commits are lost and ids are given out again. */
    @Test
    void anAsynchronousPrimaryIsKilled() throws Exception {
        ClusterKind.PATRONI.assume();
        try (Cluster cluster = Cluster.patroni(false);
                FailoverRun run = start(cluster, "postgres");
                LogPositions log = new LogPositions(run.url)) {
            PatroniNodes nodes = new PatroniNodes(cluster, false);
            Random random = new Random();
            List<FailoverRun.Times> times = new ArrayList<>();
            for (int round = 0; round < KILLS; round++) {
                nodes.awaitMembers();
                run.enqueueBacklog(PORTIONS);
                Delay.random(1_000 + random.nextInt(1_000));
                int primary = nodes.primary();
                nodes.haltReplication(primary);
                run.enqueueBacklog(2);
                Delay.random(random.nextInt(300));
                times.add(run.kill(primary));
                nodes.awaitDemoted(primary);
            }
            FailoverCheck check = finish(run);
            log.finish();
            System.out.println(log);
            assertThat(log.failovers()).isGreaterThanOrEqualTo(KILLS);
            check.databaseIsConsistent();
            check.onlyWhatReplicationLostIsLost(log);
            assertThat(check.lost())
                    .as("replication was halted before each kill")
                    .isNotEmpty();
            times.forEach(FailoverTest::resumes);
        }
    }

    /** The nodes take over in the order of the URL, so that the driver finds the node to which all other programs are connected. */
    @Test
    void nodesOfAGaleraClusterThatIsUsedInOrderAreKilled() throws Exception {
        nodesFail(ClusterKind.GALERA, List.of(1, 2), FailoverRun::kill);
    }

    /** The node is halted for longer than the other nodes wait for it. */
    @Test
    void aNodeOfAGaleraClusterThatIsUsedInOrderIsHalted() throws Exception {
        nodesFail(ClusterKind.GALERA, List.of(1), FailoverRun::halt);
    }

    @Test
    void nodesOfAGroupReplicationThatIsUsedInOrderAreKilled() throws Exception {
        nodesFail(ClusterKind.GROUP_REPLICATION, List.of(1, 2), FailoverRun::kill);
    }

    @Test
    void aNodeOfAGroupReplicationThatIsUsedInOrderIsHalted() throws Exception {
        nodesFail(ClusterKind.GROUP_REPLICATION, List.of(1), FailoverRun::halt);
    }

    private static void nodesFail(ClusterKind kind, List<Integer> nodes, Fault fault) throws Exception {
        kind.assume();
        try (Cluster cluster = kind.start();
                FailoverRun run = start(cluster, kind.firstDatabase())) {
            for (int node : nodes) {
                run.enqueueBacklog(PORTIONS);
                Delay.random(1_000 + new Random().nextInt(1_000));
                resumes(fault.strike(run, node));
                kind.awaitMembers(cluster);
            }
            FailoverCheck check = finish(run);
            check.databaseIsConsistent();
            check.nothingIsLost();
        }
    }
}
