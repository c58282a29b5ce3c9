package dev.pawl.servers.cluster;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.servers.Product;
import dev.pawl.servers.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionTimeoutException;

/** The clusters that the scripts start, and what differs between them. */
public enum ClusterKind {
    /** MariaDB, all nodes of which take writes. */
    GALERA("galera", Product.MARIADB, "jobs", "mysql") {
        @Override
        public Cluster start() throws IOException {
            return Cluster.galera();
        }

        @Override
        public void assume() {
            assumeTrue(Files.exists(Cluster.SCRIPTS.resolve("galera.sh")), "there is no script for Galera");
            assumeTrue(Files.exists(Path.of("/usr/lib/galera/libgalera_smm.so")), "there is no Galera here");
        }

        @Override
        boolean isOnline(Cluster cluster, int node) {
            return Sql.longOf(
                            "node " + node,
                            cluster.url(node, "jobs"),
                            "SELECT COUNT(*) FROM information_schema.global_status"
                                    + " WHERE variable_name = 'wsrep_ready' AND variable_value = 'ON'")
                    == 1;
        }

        @Override
        void actLikeOneServer(Cluster cluster) {
            set(cluster, "wsrep_sync_wait = 15");
        }

        /** A node that is not a member answers no query. */
        @Override
        boolean isMember(Cluster cluster, int node) throws SQLException {
            return Sql.longOf(
                            "node " + node,
                            cluster.url(node, "jobs"),
                            "SELECT variable_value FROM information_schema.global_status"
                                    + " WHERE variable_name = 'wsrep_cluster_size'")
                    == Cluster.NODES;
        }
    },

    /** MySQL, all members of which take writes. */
    GROUP_REPLICATION("mysql", Product.MYSQL, "jobs", "root") {
        @Override
        public Cluster start() throws IOException {
            return Cluster.groupReplication("multi");
        }

        @Override
        public void assume() {
            Path script = Cluster.SCRIPTS.resolve("mysql.sh");
            assumeTrue(Files.exists(script), script + " is not here");
        }

        @Override
        boolean isOnline(Cluster cluster, int node) {
            return Sql.longOf(
                            "node " + node,
                            cluster.url(node, "jobs"),
                            "SELECT COUNT(*) FROM performance_schema.replication_group_members"
                                    + " WHERE member_id = @@server_uuid AND member_state = 'ONLINE'")
                    == 1;
        }

        @Override
        void actLikeOneServer(Cluster cluster) {
            set(cluster, "group_replication_consistency = 'BEFORE'");
            createMissingPrimaryKeys(cluster);
        }

        @Override
        boolean isMember(Cluster cluster, int node) throws SQLException {
            return Sql.longOf(
                            "node " + node,
                            cluster.url(node, "jobs"),
                            "SELECT COUNT(*) FROM performance_schema.replication_group_members, (SELECT member_state"
                                    + " FROM performance_schema.replication_group_members WHERE member_id = @@server_uuid) own"
                                    + " WHERE own.member_state = 'ONLINE'")
                    == Cluster.NODES;
        }
    },

    /** MySQL, one member of which takes writes: the first one. */
    GROUP_PRIMARY("mysql", Product.MYSQL, "jobs", "root") {
        @Override
        public Cluster start() throws IOException {
            return Cluster.groupReplication();
        }

        @Override
        public void assume() {
            GROUP_REPLICATION.assume();
        }

        @Override
        boolean isOnline(Cluster cluster, int node) throws SQLException, IOException {
            return GROUP_REPLICATION.isOnline(cluster, node);
        }

        @Override
        void actLikeOneServer(Cluster cluster) {
            createMissingPrimaryKeys(cluster);
        }

        @Override
        String urlForTests(Cluster cluster, int socketTimeout) {
            return cluster.urlOfAll(firstDatabase(), socketTimeout);
        }

        @Override
        boolean isMember(Cluster cluster, int node) throws SQLException, IOException {
            return GROUP_REPLICATION.isMember(cluster, node);
        }
    },

    /** PostgreSQL, whose commits wait for a standby. */
    PATRONI("patroni", Product.POSTGRESQL, "postgres", "postgres") {
        @Override
        public Cluster start() throws IOException {
            Cluster cluster = Cluster.patroni(true);
            new PatroniNodes(cluster, true).awaitMembers();
            return cluster;
        }

        @Override
        public void assume() {
            Path script = Cluster.SCRIPTS.resolve("patroni.sh");
            assumeTrue(Files.exists(script), script + " is not here");
            assumeTrue(Files.exists(Path.of("/usr/bin/patroni")), "there is no Patroni here");
            assumeTrue(Files.exists(Path.of("/usr/bin/etcd")), "there is no etcd here");
        }

        @Override
        boolean isOnline(Cluster cluster, int node) throws SQLException, IOException {
            return isMember(cluster, node);
        }

        /** All sessions are at the primary. */
        @Override
        void actLikeOneServer(Cluster cluster) {}

        @Override
        String urlForTests(Cluster cluster, int socketTimeout) {
            return cluster.urlOfAll(firstDatabase(), socketTimeout);
        }

        @Override
        boolean isMember(Cluster cluster, int node) throws SQLException, IOException {
            return new PatroniNodes(cluster, true).areMembers();
        }
    };

    private static final Duration BY_ITSELF = Duration.ofMinutes(3);
    private static final Duration OFTEN = Duration.ofMillis(500);
    private static final Duration AFTER_A_RESTART = Duration.ofMinutes(3);

    private final String folder;
    private final Product product;
    private final String firstDatabase;
    private final String owner;

    /** @param owner the user who must own a node's data, for a folder whose owner the script does not set */
    ClusterKind(String folder, Product product, String firstDatabase, String owner) {
        this.folder = folder;
        this.product = product;
        this.firstDatabase = firstDatabase;
        this.owner = owner;
    }

    /** Skips the test where the cluster cannot be started. */
    public abstract void assume();

    /** {@return a new cluster, all nodes of which are members} */
    public abstract Cluster start() throws IOException;

    /** {@return whether a node works} */
    abstract boolean isOnline(Cluster cluster, int node) throws SQLException, IOException;

    /** Lets every session read what was committed earlier on other nodes, and lets tests create tables as on one server. */
    abstract void actLikeOneServer(Cluster cluster);

    /**
     * {@return a JDBC URL with which each new connection goes to the next node that takes writes}
     *
     * @param socketTimeout in seconds
     */
    String urlForTests(Cluster cluster, int socketTimeout) {
        return cluster.urlOfEach(firstDatabase, socketTimeout);
    }

    /** {@return whether a node works, and reports that all others work} */
    abstract boolean isMember(Cluster cluster, int node) throws SQLException, IOException;

    /** Group Replication refuses writes to tables without a primary key, such as tables of tests. */
    private static void createMissingPrimaryKeys(Cluster cluster) {
        set(cluster, "sql_generate_invisible_primary_key = ON");
    }

    private static void set(Cluster cluster, String setting) {
        for (int node = 1; node <= Cluster.NODES; node++) {
            Sql.execute("node " + node, cluster.url(node, "jobs"), "SET GLOBAL " + setting);
        }
    }

    /** {@return the product of its nodes} */
    public Product product() {
        return product;
    }

    /** {@return where a node has its data} */
    public Path dataFolder(int node) throws IOException {
        return Cluster.folder(folder).resolve("n" + node);
    }

    /** {@return the user who must own a node's data, for a folder whose owner the script does not set} */
    public String owner() {
        return owner;
    }

    /** {@return a database that exists in a new cluster} */
    public String firstDatabase() {
        return firstDatabase;
    }

    /** Starts the nodes that have ended, waits until all are members, and restarts those that do not rejoin by themselves. */
    public void awaitMembers(Cluster cluster) throws Exception {
        try {
            awaitMembers(cluster, BY_ITSELF);
        } catch (ConditionTimeoutException alone) {
            for (int node = 1; node <= Cluster.NODES; node++) {
                int each = node;
                if (!isKnown(() -> isOnline(cluster, each))) {
                    System.out.println("node " + node + " does not rejoin by itself");
                    cluster.stop(node);
                }
            }
            awaitMembers(cluster, AFTER_A_RESTART);
        }
    }

    /**
     * Waits until all nodes are members at the same time. A node that was halted may believe for a moment that it is still a member, and
     * then end.
     */
    private void awaitMembers(Cluster cluster, Duration atMost) {
        await("all nodes are members").atMost(atMost).pollInterval(OFTEN).until(() -> {
            boolean all = true;
            for (int node = 1; node <= Cluster.NODES; node++) {
                if (!cluster.isRunning(node)) {
                    System.out.println("node " + node + " has ended");
                    cluster.rejoin(node);
                }
                int each = node;
                all &= isKnown(() -> isMember(cluster, each));
            }
            return all;
        });
    }

    /** {@return whether all nodes work, and report that the others do} */
    public boolean isWhole(Cluster cluster) {
        return IntStream.rangeClosed(1, Cluster.NODES).allMatch(node -> isKnown(() -> isMember(cluster, node)));
    }

    private interface Question {
        boolean ask() throws SQLException, IOException;
    }

    /** {@return the answer; false if the node does not answer} */
    private static boolean isKnown(Question question) {
        try {
            return question.ask();
        } catch (SQLException | IOException | RuntimeException noAnswer) {
            return false;
        }
    }
}
