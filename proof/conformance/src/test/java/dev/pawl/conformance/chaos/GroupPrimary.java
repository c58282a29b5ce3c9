package dev.pawl.conformance.chaos;

import com.sun.net.httpserver.HttpServer;
import dev.pawl.servers.ServerException;
import dev.pawl.servers.Sql;
import dev.pawl.servers.cluster.Cluster;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Tells a proxy whether a member of a Group Replication is the primary, on a port for each node. Patroni needs no such helper, because it
 * answers proxies itself.
 */
final class GroupPrimary implements AutoCloseable {
    private static final String IS_PRIMARY = "SELECT COUNT(*) FROM performance_schema.replication_group_members"
            + " WHERE member_id = @@server_uuid AND member_state = 'ONLINE' AND member_role = 'PRIMARY'";

    private final Cluster cluster;
    private final List<HttpServer> servers = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    GroupPrimary(Cluster cluster) throws IOException {
        this.cluster = cluster;
        for (int node = 1; node <= Cluster.NODES; node++) {
            servers.add(serve(node));
        }
    }

    private HttpServer serve(int node) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/primary", exchange -> {
            int status = isPrimary(node) ? HttpURLConnection.HTTP_OK : HttpURLConnection.HTTP_UNAVAILABLE;
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        return server;
    }

    private boolean isPrimary(int node) {
        try {
            return Sql.longOf("node " + node, cluster.url(node, "jobs"), IS_PRIMARY) == 1;
        } catch (ServerException noAnswer) {
            return false;
        }
    }

    /** {@return the port for a node} */
    int port(int node) {
        return servers.get(node - 1).getAddress().getPort();
    }

    /** {@return the node that takes writes} */
    int node() {
        for (int node = 1; node <= Cluster.NODES; node++) {
            if (isPrimary(node)) {
                return node;
            }
        }
        throw new IllegalStateException("there is no primary");
    }

    @Override
    public void close() {
        servers.forEach(server -> server.stop(0));
        threads.shutdown();
    }
}
