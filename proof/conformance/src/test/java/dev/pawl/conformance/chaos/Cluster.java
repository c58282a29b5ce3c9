package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.servers.Delay;
import dev.pawl.servers.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Three nodes on this machine, run by a script that is no part of the project: {@code galera.sh}, {@code mysql.sh} or {@code patroni.sh}. All
 * nodes take writes, or one does. Not thread-safe.
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
 *
 * <p>{@code patroni.sh} has {@code start}, or {@code start sync} for synchronous replication, {@code kill N}, {@code rejoin N}, which does not
 * wait, and {@code stop}. Its ports begin with {@code PPORT}, its folder is {@code PDIR}, with Patroni's process group in {@code nN.pid} and its
 * data in {@code nN}; {@code TTL} and {@code LOOP} are Patroni's {@code ttl} and {@code loop_wait} in seconds.
 */
final class Cluster implements AutoCloseable {
    static final int NODES = 3;

    private static final int REJOIN_TRIES = 5;

    private final Path script;
    private final Path folder;
    private final Map<String, String> environment;
    private final int firstPort;
    private final String options;
    private final String rejoin;

    private Cluster(
            Path script, Path folder, Map<String, String> environment, int firstPort, String options, String rejoin) {
        this.script = script;
        this.folder = folder;
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
                folder,
                Map.of("GDIR", folder.toString(), "GPORT", "3341", "GREP", "4671", "FLUSH", "2"),
                3341,
                "jdbc:mariadb:sequential://%1$s/%2$s?user=app&password=app&sslMode=disable&connectTimeout=2000"
                        + "&socketTimeout=%3$d000&deniedListTimeout=1000&retriesAllDown=10",
                "restart");
        cluster.clear();
        cluster.run("start");
        return cluster;
    }

    /**
     * Group Replication of MySQL; its packages are fetched once.
     *
     * @param primaries what {@code mysql.sh gr} gets: {@code multi}, or nothing for one primary
     */
    static Cluster groupReplication(Path scripts, String... primaries) throws IOException {
        Path folder = folder("mysql");
        Cluster cluster = new Cluster(
                scripts.resolve("mysql.sh"),
                folder,
                Map.of("MDIR", folder.toString(), "MPORT", "3331", "GRP", "33971"),
                3331,
                "jdbc:mysql://%1$s/%2$s?user=app&password=app&allowPublicKeyRetrieval=true&sslMode=DISABLED"
                        + "&connectTimeout=2000&socketTimeout=%3$d000&failOverReadOnly=false",
                "rejoin");
        cluster.clear();
        if (!Files.isDirectory(folder.resolve("root"))) {
            cluster.run("fetch");
        }
        cluster.run(Stream.concat(Stream.of("gr"), Stream.of(primaries)).toArray(String[]::new));
        for (int node = 1; node <= NODES; node++) {
            readOnlyUntilItIsAMember(folder.resolve("n" + node + ".cnf"));
        }
        return cluster;
    }

    /** Otherwise workers that reconnect write to a restarted server before it has joined, and the group refuses what it has not seen. */
    private static void readOnlyUntilItIsAMember(Path options) throws IOException {
        Files.writeString(options, "super_read_only=ON\n", StandardOpenOption.APPEND);
    }

    /**
     * PostgreSQL under Patroni; its packages must be installed.
     *
     * @param synchronous whether a commit waits for a standby
     */
    static Cluster patroni(Path scripts, boolean synchronous) throws IOException {
        Path folder = folder("patroni");
        Cluster cluster = new Cluster(
                scripts.resolve("patroni.sh"),
                folder,
                Map.of("PDIR", folder.toString(), "PPORT", "3351", "TTL", "10", "LOOP", "1"),
                3351,
                "jdbc:postgresql://%1$s/%2$s?user=postgres&password=p&connectTimeout=2&socketTimeout=%3$d"
                        + "&tcpKeepAlive=true",
                "rejoin");
        cluster.clear();
        FileTrees.delete(folder.resolve("etcd"));
        cluster.run(synchronous ? new String[] {"start", "sync"} : new String[] {"start"});
        return cluster;
    }

    private static Path folder(String name) throws IOException {
        return Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir"), "pawl-cluster-" + name));
    }

    /** Removes the files of an earlier run, which may have been killed. */
    private void clear() throws IOException {
        stop();
        for (int node = 1; node <= NODES; node++) {
            FileTrees.delete(folder.resolve("n" + node));
        }
    }

    /** {@return a JDBC URL of one node; nodes are counted from 1} */
    String url(int node, String database) {
        return String.format(Locale.ROOT, options, nodeHost(node), database, 20);
    }

    /**
     * {@return a JDBC URL of all nodes} PostgreSQL's driver connects to the primary; the others, to the first node that answers.
     *
     * @param socketTimeout in seconds
     */
    String urlOfAll(String database, int socketTimeout) {
        String hosts = IntStream.rangeClosed(1, NODES).mapToObj(this::nodeHost).collect(Collectors.joining(","));
        String url = String.format(Locale.ROOT, options, hosts, database, socketTimeout);
        return url.startsWith("jdbc:postgresql:") ? url + "&targetServerType=primary" : url;
    }

    /** {@return a JDBC URL of a proxy on this machine} */
    String urlThrough(int proxy, String database, int socketTimeout) {
        return String.format(Locale.ROOT, options, host(proxy), database, socketTimeout);
    }

    private String nodeHost(int node) {
        return host(port(node));
    }

    private static String host(int port) {
        return "127.0.0.1:" + port;
    }

    int port(int node) {
        return firstPort + node - 1;
    }

    /** Halts (SIGSTOP) all processes of a node, its Patroni's too: its connections stay open, and no request is answered. */
    void halt(int node) throws IOException {
        halt(List.of(server(node))); // first, so that it starts no more processes
        halt(processes(node));
    }

    /** Halts processes of a node. */
    void halt(List<Long> processes) throws IOException {
        signal("-STOP", processes);
    }

    /** Continues a halted node (SIGCONT), which does not know for how long it was halted. */
    void proceed(int node) throws IOException {
        signal("-CONT", processes(node));
    }

    /** Of Patroni's nodes, the PostgreSQL below it; a server of another cluster is the only process of its node. */
    private long server(int node) throws IOException {
        Path file = folder.resolve("n" + node + (isPatroni() ? "/postmaster.pid" : ".pid"));
        return Long.parseLong(Files.readAllLines(file).get(0).strip());
    }

    private boolean isPatroni() {
        return environment.containsKey("PDIR");
    }

    /** Children first: the program that runs Patroni as another user halts itself while it sees that its child is halted. */
    private List<Long> processes(int node) throws IOException {
        List<Long> roots = new ArrayList<>(List.of(server(node)));
        if (isPatroni()) {
            roots.add(Long.parseLong(
                    Files.readString(folder.resolve("n" + node + ".pid")).strip()));
        }
        return roots.stream()
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .flatMap(process -> Stream.concat(process.descendants(), Stream.of(process)))
                .map(ProcessHandle::pid)
                .toList();
    }

    private void signal(String signal, List<Long> processes) throws IOException {
        for (long pid : processes) {
            try {
                execute(List.of("kill", signal, Long.toString(pid)));
            } catch (IllegalStateException gone) {
                assertThat(ProcessHandle.of(pid)).as(gone.getMessage()).isEmpty();
            }
        }
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
        List<String> command = new ArrayList<>(List.of("bash", script.toString()));
        command.addAll(List.of(arguments));
        execute(command);
    }

    private void execute(List<String> command) throws IOException {
        Path output = Files.createTempFile("pawl-cluster-", ".log");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(output.toFile());
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
            throw new IllegalStateException("interrupted while " + command + " was running", e);
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
