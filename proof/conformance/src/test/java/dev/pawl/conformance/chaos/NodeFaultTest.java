package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.servers.Delay;
import dev.pawl.servers.cluster.Cluster;
import dev.pawl.servers.cluster.ClusterKind;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults of nodes in real clusters that go on working. The test is run like {@link ClusterTest}. */
@Isolated
@Timeout(value = 15, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = "pawl.clusters", matches = ".+")
class NodeFaultTest {
    @ParameterizedTest
    @EnumSource
    void galera(NodeFault fault) throws Exception {
        programsCarryOn(ClusterKind.GALERA, fault);
    }

    @ParameterizedTest
    @EnumSource
    void groupReplication(NodeFault fault) throws Exception {
        programsCarryOn(ClusterKind.GROUP_REPLICATION, fault);
    }

    @ParameterizedTest
    @EnumSource
    void patroni(NodeFault fault) throws Exception {
        programsCarryOn(ClusterKind.PATRONI, fault);
    }

    private static void programsCarryOn(ClusterKind kind, NodeFault fault) throws Exception {
        kind.assume();
        fault.assume();
        SmallDisk.assume();
        try (SmallDisk disk = new SmallDisk(kind.dataFolder(NodeFault.NODE), "700m", kind.owner());
                Cluster cluster = kind.start()) {
            FailoverRun.execute(
                    cluster.urlOfAll(kind.firstDatabase(), FailoverTest.SOCKET_TIMEOUT),
                    "CREATE DATABASE " + FailoverTest.DATABASE);
            try (FailoverRun run = new FailoverRun(
                    cluster,
                    IntStream.rangeClosed(1, Cluster.NODES)
                            .mapToObj(
                                    node -> cluster.urlOfAll(node, FailoverTest.DATABASE, FailoverTest.SOCKET_TIMEOUT))
                            .toList())) {
                Map<String, Long> lags = lags(kind, fault, run, disk);
                FailoverCheck check = FailoverTest.finish(run);
                check.databaseIsConsistent();
                check.nothingIsLost();
                assertThat(lags).allSatisfy((program, lag) -> assertThat(lag).isLessThan(FailoverTest.PROMISED_MILLIS));
            }
        }
    }

    /**
     * {@return for each program, the longest time, in milliseconds, in which it committed nothing although a plain program with the same
     * URL could write}
     */
    private static Map<String, Long> lags(ClusterKind kind, NodeFault fault, FailoverRun run, SmallDisk disk)
            throws Exception {
        FailoverRun.execute(run.url, "CREATE TABLE chaos_row (number int PRIMARY KEY, filler text NOT NULL)");
        run.enqueueBacklog(FailoverTest.PORTIONS);
        List<PlainProgram> plain = IntStream.range(0, Cluster.NODES)
                .mapToObj(index -> new PlainProgram(run.urlOf(index), index * Producers.PER_PRODUCER))
                .toList();
        try {
            plain.forEach(each -> each.awaitCommit(0));
            Delay.random(1_000 + new Random().nextInt(1_000));
            long begin = System.nanoTime();
            run.faults++;
            fault.strike(kind, run, disk);
            kind.awaitMembers(run.cluster);
            long whole = System.nanoTime();
            run.awaitCommitsOfAll(whole);
            plain.forEach(each -> each.awaitCommit(whole));
            long end = System.nanoTime();
            Map<String, Long> lags = new TreeMap<>();
            for (int producer = 0; producer < FailoverRun.PRODUCERS; producer++) {
                lags.put("producer " + producer, plain.get(producer).longestLag(run.ordersOf(producer), end));
            }
            for (int worker = 0; worker < FailoverRun.WORKERS; worker++) {
                lags.put("worker " + worker, plain.get(worker).longestLag(run.runsOf(worker), end));
            }
            System.out.printf(
                    "%s, %s: %,d ms; outages of plain programs, in ms: %s; beyond them without a commit: %s%n",
                    kind,
                    fault,
                    TimeUnit.NANOSECONDS.toMillis(end - begin),
                    plain.stream().map(each -> each.outageMillis(end)).toList(),
                    lags);
            return lags;
        } finally {
            plain.forEach(PlainProgram::close);
        }
    }
}
