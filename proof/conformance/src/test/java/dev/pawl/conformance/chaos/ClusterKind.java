package dev.pawl.conformance.chaos;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.awaitility.core.ConditionTimeoutException;

/** The clusters that the scripts start, and what differs between them. */
enum ClusterKind {
    GALERA("galera", "jobs", "mysql") {
        @Override
        Cluster start() throws IOException {
            return Cluster.galera(FailoverTest.SCRIPTS);
        }

        @Override
        void assume() {
            FailoverTest.assumeGalera();
        }

        /** A node that is not a member answers no query. */
        @Override
        boolean isMember(Cluster cluster, int node) throws SQLException {
            return FailoverRun.longOf(
                            cluster.url(node, "jobs"),
                            "SELECT variable_value FROM information_schema.global_status"
                                    + " WHERE variable_name = 'wsrep_cluster_size'")
                    == Cluster.NODES;
        }
    },

    GROUP_REPLICATION("mysql", "jobs", "root") {
        @Override
        Cluster start() throws IOException {
            return Cluster.groupReplication(FailoverTest.SCRIPTS, "multi");
        }

        @Override
        void assume() {
            Path script = FailoverTest.SCRIPTS.resolve("mysql.sh");
            assumeTrue(Files.exists(script), script + " is not here");
        }

        @Override
        boolean isMember(Cluster cluster, int node) throws SQLException {
            return FailoverRun.longOf(
                            cluster.url(node, "jobs"),
                            "SELECT COUNT(*) FROM performance_schema.replication_group_members, (SELECT member_state"
                                    + " FROM performance_schema.replication_group_members WHERE member_id = @@server_uuid) own"
                                    + " WHERE own.member_state = 'ONLINE'")
                    == Cluster.NODES;
        }
    },

    PATRONI("patroni", "postgres", "postgres") {
        @Override
        Cluster start() throws IOException {
            Cluster cluster = Cluster.patroni(FailoverTest.SCRIPTS, true);
            new PatroniNodes(cluster, true).awaitMembers();
            return cluster;
        }

        @Override
        void assume() {
            FailoverTest.assumePatroni();
        }

        @Override
        boolean isMember(Cluster cluster, int node) throws SQLException, IOException {
            return new PatroniNodes(cluster, true).areMembers();
        }
    };

    private static final Duration BY_ITSELF = Duration.ofMinutes(3);
    private static final Duration AFTER_A_RESTART = Duration.ofMinutes(3);

    private final String folder;
    final String firstDatabase;
    private final String owner;

    /** @param owner of a node's data, where the script does not set it */
    ClusterKind(String folder, String firstDatabase, String owner) {
        this.folder = folder;
        this.firstDatabase = firstDatabase;
        this.owner = owner;
    }

    /** Skips the test where the cluster cannot be started. */
    abstract void assume();

    abstract Cluster start() throws IOException;

    /** {@return whether a node works, and reports that all others work} */
    abstract boolean isMember(Cluster cluster, int node) throws SQLException, IOException;

    /** Mounts a small disk for the data of a node, before the node is started. */
    SmallDisk smallDisk(int node) throws IOException {
        return new SmallDisk(Cluster.folder(folder).resolve("n" + node), "700m", owner);
    }

    /** Starts the nodes that have ended, waits until all are members, and restarts those that do not rejoin by themselves. */
    void awaitMembers(Cluster cluster) throws Exception {
        for (int node = 1; node <= Cluster.NODES; node++) {
            if (!cluster.isRunning(node)) {
                System.out.println("node " + node + " has ended");
                cluster.rejoin(node);
            }
            try {
                awaitMember(cluster, node, BY_ITSELF);
            } catch (ConditionTimeoutException alone) {
                System.out.println("node " + node + " does not join by itself");
                if (cluster.isRunning(node)) {
                    cluster.stop(node);
                }
                cluster.rejoin(node);
            }
        }
        for (int node = 1; node <= Cluster.NODES; node++) {
            awaitMember(cluster, node, AFTER_A_RESTART);
        }
    }

    private void awaitMember(Cluster cluster, int node, Duration atMost) {
        await("node " + node + " is a member")
                .atMost(atMost)
                .pollInterval(Duration.ofMillis(500))
                .ignoreExceptions()
                .until(() -> isMember(cluster, node));
    }
}
