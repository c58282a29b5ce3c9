package dev.pawl.servers.cluster;

import static org.awaitility.Awaitility.await;

import dev.pawl.servers.Sql;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.core.ConditionTimeoutException;

/** What the nodes of a PostgreSQL cluster say about themselves. */
public final class PatroniNodes {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int HTTP_MILLIS = 2_000;

    private final Cluster cluster;
    private final boolean synchronous;

    /** @param synchronous whether commits wait for a standby */
    public PatroniNodes(Cluster cluster, boolean synchronous) {
        this.cluster = cluster;
        this.synchronous = synchronous;
    }

    /** {@return the node that takes writes} All nodes must run. */
    public int primary() throws SQLException {
        for (int node = 1; node <= Cluster.NODES; node++) {
            if (Sql.longOf("node " + node, url(node), "SELECT CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END") == 0) {
                return node;
            }
        }
        throw new IllegalStateException("there is no primary");
    }

    /** Halts the processes that send the log to the standbys; they never continue. */
    public void haltReplication(int primary) throws SQLException, IOException {
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

    /** Waits until all nodes are members, and a standby may be promoted. */
    public void awaitMembers() {
        await("all nodes are members").atMost(SOON).ignoreExceptions().until(this::areMembers);
    }

    /** {@return whether all nodes are members, and one may be promoted} */
    public boolean areMembers() throws SQLException, IOException {
        String standbys = "SELECT COUNT(*) FROM pg_stat_replication WHERE state = 'streaming'";
        return Sql.longOf("the primary", url(primary()), standbys) == Cluster.NODES - 1
                && (!synchronous || hasSynchronousStandby());
    }

    /**
     * Waits until all nodes are members, so the former primary follows the new one, and until no client has a session at the former
     * primary.
     *
     * @param node the former primary
     */
    public void awaitDemoted(int node) {
        String sessions =
                "SELECT application_name || ' ' || client_port || ' ' || backend_start || ' ' || state || ' ' || query"
                        + " FROM pg_stat_activity WHERE datname = 'pawl_cluster' AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
        awaitMembers();
        List<String> left = new CopyOnWriteArrayList<>();
        try {
            await("no session stays at the demoted node")
                    .atMost(SOON)
                    .ignoreExceptions()
                    .until(() -> {
                        left.clear();
                        left.addAll(strings(url(node), sessions));
                        return left.isEmpty();
                    });
        } catch (ConditionTimeoutException stay) {
            throw new AssertionError("sessions at the demoted node " + node + ": " + left, stay);
        }
    }

    private static List<String> strings(String url, String sql) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        }
        return found;
    }

    /** Asks Patroni whether it has recorded that a standby is synchronous. Before that, Patroni promotes no standby. */
    private static boolean hasSynchronousStandby() throws IOException {
        for (int node = 1; node <= Cluster.NODES; node++) {
            HttpURLConnection http =
                    (HttpURLConnection) URI.create("http://127.0.0.1:" + Cluster.patroniPort(node) + "/synchronous")
                            .toURL()
                            .openConnection();
            http.setConnectTimeout(HTTP_MILLIS);
            http.setReadTimeout(HTTP_MILLIS);
            if (http.getResponseCode() == HttpURLConnection.HTTP_OK) {
                return true;
            }
        }
        return false;
    }

    private String url(int node) {
        return cluster.url(node, "postgres");
    }
}
