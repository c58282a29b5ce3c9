package dev.pawl.conformance.chaos;

import dev.pawl.servers.Delay;
import dev.pawl.servers.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Three nodes on this machine, every one of which takes writes, run by a script that is no part of the project: {@code galera.sh}
 * or {@code mysql.sh}. Not thread-safe.
 *
 * <p>The nodes answer on {@code 127.0.0.1}, on three ports from the one in {@code GPORT} or {@code MPORT} on, to the user and
 * password {@code app}, and keep their files in the folders {@code n1} to {@code n3} of {@code GDIR} or {@code MDIR};
 * {@code GREP} and {@code GRP} are the first of the ports by which the nodes talk to each other. Commands:
 *
 * <ul>
 *   <li>{@code start} ({@code galera.sh}), {@code gr multi} ({@code mysql.sh}): starts a new cluster and waits for it
 *   <li>{@code kill N}: as {@code kill -9} of node N
 *   <li>{@code restart N} ({@code galera.sh}), {@code rejoin N} ({@code mysql.sh}): starts it again and waits until it is a member
 *   <li>{@code stop}: ends all nodes
 *   <li>{@code fetch} ({@code mysql.sh}): puts the server into {@code MDIR/root}; only called where that is not there
 * </ul>
 */
final class Cluster implements AutoCloseable {
    static final int NODES = 3;

    private static final int REJOIN_TRIES = 5;

    private final Path script;
    private final Map<String, String> environment;
    private final int firstPort;
    private final String options;
    private final String rejoin;

    private Cluster(Path script, Map<String, String> environment, int firstPort, String options, String rejoin) {
        this.script = script;
        this.environment = environment;
        this.firstPort = firstPort;
        this.options = options;
        this.rejoin = rejoin;
    }

    /** A Galera cluster of MariaDB; its packages must be installed. */
    static Cluster galera(Path scripts) throws IOException {
        Path folder = folder("galera");
        Cluster cluster = new Cluster(
                scripts.resolve("galera.sh"),
                Map.of("GDIR", folder.toString(), "GPORT", "3341", "GREP", "4671", "FLUSH", "2"),
                3341,
                "jdbc:mariadb://127.0.0.1:%d/%s?user=app&password=app&sslMode=disable&connectTimeout=2000"
                        + "&socketTimeout=20000",
                "restart");
        cluster.clear(folder);
        cluster.run("start");
        return cluster;
    }

    /** Group Replication of MySQL with several primaries; its packages are fetched once. */
    static Cluster groupReplication(Path scripts) throws IOException {
        Path folder = folder("mysql");
        Cluster cluster = new Cluster(
                scripts.resolve("mysql.sh"),
                Map.of("MDIR", folder.toString(), "MPORT", "3331", "GRP", "33971"),
                3331,
                "jdbc:mysql://127.0.0.1:%d/%s?user=app&password=app&allowPublicKeyRetrieval=true&sslMode=DISABLED"
                        + "&connectTimeout=2000&socketTimeout=20000",
                "rejoin");
        cluster.clear(folder);
        if (!Files.isDirectory(folder.resolve("root"))) {
            cluster.run("fetch");
        }
        cluster.run("gr", "multi");
        return cluster;
    }

    private static Path folder(String name) throws IOException {
        return Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir"), "pawl-cluster-" + name));
    }

    /** Removes the files of an earlier run, which may have been killed. */
    private void clear(Path folder) throws IOException {
        stop();
        for (int node = 1; node <= NODES; node++) {
            FileTrees.delete(folder.resolve("n" + node));
        }
    }

    /** {@return a JDBC URL of one node; nodes are counted from 1} */
    String url(int node, String database) {
        return String.format(Locale.ROOT, options, firstPort + node - 1, database);
    }

    /** As {@code kill -9}. */
    void kill(int node) throws IOException {
        run("kill", Integer.toString(node));
    }

    /** Restarts a node and waits until it is a member; the others may take longer to notice that it was gone. */
    void rejoin(int node) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                run(rejoin, Integer.toString(node));
                return;
            } catch (IllegalStateException notYet) {
                if (attempt == REJOIN_TRIES) {
                    throw notYet;
                }
                Delay.poll(3000); // the cluster gives no signal
            }
        }
    }

    private void run(String... arguments) throws IOException {
        Path output = Files.createTempFile("pawl-cluster-", ".log");
        try {
            ProcessBuilder builder = new ProcessBuilder("bash", script.toString())
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(output.toFile());
            builder.command().addAll(List.of(arguments));
            builder.environment().putAll(environment);
            Process process = builder.start();
            boolean ended = process.waitFor(5, TimeUnit.MINUTES);
            if (!ended || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IllegalStateException(
                        builder.command() + (ended ? " failed:\n" : " did not end:\n") + Files.readString(output));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + script + " was running", e);
        } finally {
            Files.deleteIfExists(output);
        }
    }

    @Override
    public void close() throws IOException {
        stop();
    }

    /** Fails like a command of the script if a node does not run. */
    private void stop() throws IOException {
        try {
            run("stop");
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
