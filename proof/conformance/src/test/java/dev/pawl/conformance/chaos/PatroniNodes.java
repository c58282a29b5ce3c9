package dev.pawl.conformance.chaos;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What the nodes of a PostgreSQL cluster say about themselves. */
final class PatroniNodes {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final Cluster cluster;
    private final boolean synchronous;

    PatroniNodes(Cluster cluster, boolean synchronous) {
        this.cluster = cluster;
        this.synchronous = synchronous;
    }

    /** {@return the node that takes writes} All nodes must run. */
    int primary() throws SQLException {
        for (int node = 1; node <= Cluster.NODES; node++) {
            if (FailoverRun.longOf(url(node), "SELECT CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END") == 0) {
                return node;
            }
        }
        throw new AssertionError("there is no primary");
    }

    /** Halts the processes that send the log to the standbys; they never continue. */
    void haltReplication(int primary) throws SQLException, IOException {
        List<Long> senders = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url(primary));
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT pid FROM pg_stat_replication")) {
            while (rows.next()) {
                senders.add(rows.getLong(1));
            }
        }
        cluster.halt(senders);
    }

    /** Waits until a former primary follows the new one, like the other nodes, and no client has a session there. */
    void awaitDemoted(int node) {
        String standbys = "SELECT COUNT(*) FROM pg_stat_replication WHERE state = 'streaming'";
        String sessions = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = 'pawl_cluster'"
                + " AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
        await("all nodes are members").atMost(SOON).ignoreExceptions().until(() -> {
            String primary = url(primary());
            return FailoverRun.longOf(primary, standbys) == Cluster.NODES - 1
                    && (!synchronous
                            || FailoverRun.longOf(primary, standbys + " AND sync_state IN ('sync', 'quorum')") > 0);
        });
        await("no session stays at the demoted node")
                .atMost(SOON)
                .ignoreExceptions()
                .until(() -> FailoverRun.longOf(url(node), sessions) == 0);
    }

    private String url(int node) {
        return cluster.url(node, "postgres");
    }
}
