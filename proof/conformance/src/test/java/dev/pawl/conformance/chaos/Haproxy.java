package dev.pawl.conformance.chaos;

import static org.awaitility.Awaitility.await;

import dev.pawl.servers.Sql;
import dev.pawl.servers.cluster.Cluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** HAProxy in front of a cluster with one primary. It asks the nodes which one is primary, and closes all connections to a former primary. */
final class Haproxy implements AutoCloseable {
    static final Path PROGRAM = Path.of("/usr/sbin/haproxy");

    private final Path configuration = Files.createTempFile("pawl-haproxy-", ".cfg");
    private final Path output = Files.createTempFile("pawl-haproxy-", ".log");
    private final Process process;
    final int port;

    /** @param checkPort where a node answers {@code OPTIONS /primary} with 200 if it is the primary */
    Haproxy(Cluster cluster, IntUnaryOperator checkPort) throws IOException {
        port = freePort();
        StringBuilder text = new StringBuilder("""
                defaults
                    mode tcp
                    timeout connect 2s
                    timeout check 2s
                    timeout client 1h
                    timeout server 1h
                listen primary
                    option httpchk OPTIONS /primary
                    http-check expect status 200
                    default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
                """);
        text.append("    bind 127.0.0.1:").append(port).append('\n');
        for (int node = 1; node <= Cluster.NODES; node++) {
            text.append("    server n").append(node);
            text.append(" 127.0.0.1:").append(cluster.port(node));
            text.append(" check port ").append(checkPort.applyAsInt(node)).append('\n');
        }
        Files.writeString(configuration, text);
        process = new ProcessBuilder(PROGRAM.toString(), "-db", "-f", configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    /**
     * Waits until the first checks have ended; until then, the proxy also connects to other nodes.
     *
     * @param isReadOnly a query that returns 0 on the primary
     */
    void awaitPrimary(String url, String isReadOnly) {
        await("the proxy connects to the primary only")
                .atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .until(() -> IntStream.range(0, 2 * Cluster.NODES)
                        .allMatch(connection -> Sql.longOf("the proxy", url, isReadOnly) == 0));
    }

    /** {@return the output of HAProxy} */
    String output() throws IOException {
        return Files.readString(output);
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Files.deleteIfExists(configuration);
        Files.deleteIfExists(output);
    }
}
