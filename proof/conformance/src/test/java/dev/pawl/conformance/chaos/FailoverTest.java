package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.admin.Admin;
import dev.pawl.servers.Delay;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A real PostgreSQL cluster under Patroni whose primary fails while workers run and orders are placed. Run as {@link ClusterTest}; {@code
 * -Dpawl.failovers=N} sets how often the primary is killed.
 */
@Isolated
@EnabledIfSystemProperty(named = "pawl.clusters", matches = ".+")
class FailoverTest {
    private static final Path SCRIPTS = Path.of(System.getProperty("pawl.clusters", "."));
    private static final int KILLS = Integer.getInteger("pawl.failovers", 3);
    private static final int SOCKET_TIMEOUT = Integer.getInteger("pawl.socketTimeout", 5);
    /** After a plain program can write again. */
    private static final long PROMISED_MILLIS = 5_000;

    private static final int PORTIONS = 20;

    private static void assumePatroni() {
        Path script = SCRIPTS.resolve("patroni.sh");
        assumeTrue(Files.exists(script), script + " is not here");
        assumeTrue(Files.exists(Path.of("/usr/bin/patroni")), "there is no Patroni here");
    }

    private static FailoverRun start(Cluster cluster, String firstDatabase) throws Exception {
        FailoverRun.execute(cluster.urlOfAll(firstDatabase, SOCKET_TIMEOUT), "CREATE DATABASE pawl_cluster");
        return new FailoverRun(cluster, cluster.urlOfAll("pawl_cluster", SOCKET_TIMEOUT));
    }

    private static void resumes(FailoverRun.Times times) {
        System.out.println(times);
        assertThat(times.firstOrder()).isLessThan(PROMISED_MILLIS);
        assertThat(times.firstRun()).isLessThan(PROMISED_MILLIS);
    }

    private static FailoverCheck finish(FailoverRun run) throws Exception {
        run.producers.stop();
        try {
            await("all jobs end")
                    .atMost(Duration.ofMinutes(3))
                    .ignoreExceptions()
                    .until(() -> run.queue.admin().queues().list(Admin.UNLIMITED).stream()
                                    .mapToLong(each -> each.available() + each.running() + each.scheduled())
                                    .sum()
                            == 0);
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

    /** The halted primary keeps its connections open and answers nothing; it continues when another has taken over. */
    @Test
    void aSynchronousPrimaryIsHalted() throws Exception {
        synchronousPrimaryFails(1, FailoverRun::halt);
    }

    private interface Fault {
        FailoverRun.Times strike(FailoverRun run, int primary) throws Exception;
    }

    private static void synchronousPrimaryFails(int times, Fault fault) throws Exception {
        assumePatroni();
        try (Cluster cluster = Cluster.patroni(SCRIPTS, true);
                FailoverRun run = start(cluster, "postgres")) {
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
    }

    /** Before each kill the standbys receive nothing for a moment, so that commits are lost and ids are given out again. */
    @Test
    void anAsynchronousPrimaryIsKilled() throws Exception {
        assumePatroni();
        try (Cluster cluster = Cluster.patroni(SCRIPTS, false);
                FailoverRun run = start(cluster, "postgres")) {
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
            check.databaseIsConsistent();
            check.onlyTheLastOrdersBeforeAFaultAreLost();
            times.forEach(FailoverTest::resumes);
        }
    }

    /** The nodes take over in the order of the URL, so that the driver finds the one to which all other programs are connected. */
    @Test
    void nodesOfAGaleraClusterThatIsUsedInOrderAreKilled() throws Exception {
        assumeTrue(Files.exists(SCRIPTS.resolve("galera.sh")), "there is no script for Galera");
        assumeTrue(Files.exists(Path.of("/usr/lib/galera/libgalera_smm.so")), "there is no Galera here");
        try (Cluster cluster = Cluster.galera(SCRIPTS);
                FailoverRun run = start(cluster, "jobs")) {
            for (int node = 1; node < Cluster.NODES; node++) {
                run.enqueueBacklog(PORTIONS);
                Delay.random(1_000 + new Random().nextInt(1_000));
                resumes(run.kill(node));
            }
            FailoverCheck check = finish(run);
            check.databaseIsConsistent();
            check.nothingIsLost();
        }
    }
}
