package dev.pawl.servers.cluster;

import static org.awaitility.Awaitility.await;

import dev.pawl.servers.Delay;
import dev.pawl.servers.FileTrees;
import dev.pawl.servers.NodesDriver;
import dev.pawl.servers.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Three nodes on this machine, run by a script that is not part of the project: {@code galera.sh}, {@code mysql.sh} or {@code patroni.sh}.
 * Either all nodes take writes, or one does. Not thread-safe.
 *
 * <p>The nodes listen on {@code 127.0.0.1}, on three consecutive ports, the first of which is {@code GPORT} or {@code MPORT}. User and
 * password are {@code app}. The nodes keep their files in the folders {@code n1} to {@code n3} of {@code GDIR} or {@code MDIR}. {@code
 * GREP} and {@code GRP} are the first of the ports by which the nodes talk to each other. Commands:
 *
 * <ul>
 *   <li>{@code start} ({@code galera.sh}), {@code gr multi} ({@code mysql.sh}): starts a new cluster and waits for it
 *   <li>{@code kill N}: ends node N, as {@code kill -9} does
 *   <li>{@code restart N} ({@code galera.sh}), {@code rejoin N} ({@code mysql.sh}): starts node N again and waits until it is a member
 *   <li>{@code stop}: ends all nodes
 *   <li>{@code fetch} ({@code mysql.sh}): installs the server in {@code MDIR/root}; only called if that is missing
 * </ul>
 *
 * <p>{@code patroni.sh} has {@code start}, or {@code start sync} for synchronous replication; {@code kill N}; {@code rejoin N}, which does
 * not wait; and {@code stop}. {@code PPORT} is the first of its ports. Its folder is {@code PDIR}, which has the process group of node N's
 * Patroni in {@code nN.pid} and the data of node N in {@code nN}. {@code TTL} and {@code LOOP} are Patroni's {@code ttl} and {@code
 * loop_wait} in seconds.
 */
public final class Cluster implements AutoCloseable {
    /** The number of nodes. */
    public static final int NODES = 3;

    /** Where the scripts are. */
    static final Path SCRIPTS = Path.of(System.getProperty("pawl.clusters", "."));

    private static final int REJOIN_TRIES = 5;
    private static final int ETCD_PORT = 2479;
    private static final int FIRST_PATRONI_PORT = 8101;
    /**
     * Without the first three options, a node of Group Replication that is cut off keeps its clients, and their writes wait for the other
     * nodes. The last option writes the log without waiting for the disk, because no machine crashes here. Otherwise, on a slow disk, a
     * node that rejoins would not catch up under load.
     */
    private static final String OPTIONS_OF_GROUP = """
            loose_group_replication_unreachable_majority_timeout=5
            loose_group_replication_autorejoin_tries=0
            loose_group_replication_exit_state_action=ABORT_SERVER
            sync_binlog=0""";

    private static final Duration SOON = Duration.ofMinutes(2);

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
    public static Cluster galera() throws IOException {
        Path folder = folder("galera");
        Cluster cluster = new Cluster(
                SCRIPTS.resolve("galera.sh"),
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
    public static Cluster groupReplication(String... primaries) throws IOException {
        Path folder = folder("mysql");
        Cluster cluster = new Cluster(
                SCRIPTS.resolve("mysql.sh"),
                folder,
                Map.of(
                        "MDIR",
                        folder.toString(),
                        "MPORT",
                        "3331",
                        "GRP",
                        "33971",
                        "FLUSH",
                        "2",
                        "EXTRA",
                        OPTIONS_OF_GROUP),
                3331,
                "jdbc:mysql://%1$s/%2$s?user=app&password=app&allowPublicKeyRetrieval=true&sslMode=DISABLED"
                        + "&connectTimeout=2000&socketTimeout=%3$d000&failOverReadOnly=false"
                        + "&queriesBeforeRetrySource=0&secondsBeforeRetrySource=0",
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

    /**
     * Otherwise workers that reconnect write to a restarted server before it has joined, and the group refuses a member with transactions
     * that it has not seen.
     */
    private static void readOnlyUntilItIsAMember(Path options) throws IOException {
        Files.writeString(options, "super_read_only=ON\n", StandardOpenOption.APPEND);
    }

    /**
     * PostgreSQL under Patroni; its packages must be installed.
     *
     * @param synchronous whether a commit waits for a standby
     */
    public static Cluster patroni(boolean synchronous) throws IOException {
        Path folder = folder("patroni");
        Cluster cluster = new Cluster(
                SCRIPTS.resolve("patroni.sh"),
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

    /** {@return the folder of a kind of cluster, with the folders of its nodes} */
    public static Path folder(String name) throws IOException {
        return Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir"), "pawl-cluster-" + name));
    }

    /**
     * Removes the files of an earlier run, which may have been killed. Keeps the folders of the nodes, because a disk may be mounted there.
     */
    private void clear() throws IOException {
        stop();
        for (int node = 1; node <= NODES; node++) {
            Path data = folder.resolve("n" + node);
            if (Files.isDirectory(data)) {
                try (Stream<Path> files = Files.list(data)) {
                    files.forEach(FileTrees::delete);
                }
            }
        }
    }

    /** {@return a JDBC URL of one node; nodes are counted from 1} */
    public String url(int node, String database) {
        return String.format(Locale.ROOT, options, nodeHost(node), database, 20);
    }

    /**
     * {@return a JDBC URL of all nodes} PostgreSQL's driver connects to the primary, other drivers to the first node that answers.
     *
     * @param socketTimeout in seconds
     */
    public String urlOfAll(String database, int socketTimeout) {
        return urlOfAll(1, database, socketTimeout);
    }

    /** Like {@link #urlOfAll(String, int)}, with the nodes in an order that begins with the node {@code first}. */
    public String urlOfAll(int first, String database, int socketTimeout) {
        String hosts = IntStream.range(0, NODES)
                .mapToObj(after -> nodeHost((first - 1 + after) % NODES + 1))
                .collect(Collectors.joining(","));
        String url = String.format(Locale.ROOT, options, hosts, database, socketTimeout);
        return url.startsWith("jdbc:postgresql:") ? url + "&targetServerType=primary" : url;
    }

    /** {@return a JDBC URL with which each new connection goes to the next node} */
    String urlOfEach(String database, int socketTimeout) {
        return NodesDriver.PREFIX + urlOfAll(database, socketTimeout).replace(":sequential:", ":");
    }

    /** {@return a JDBC URL of a proxy on this machine} */
    public String urlThrough(int proxy, String database, int socketTimeout) {
        return String.format(Locale.ROOT, options, host(proxy), database, socketTimeout);
    }

    private String nodeHost(int node) {
        return host(port(node));
    }

    private static String host(int port) {
        return "127.0.0.1:" + port;
    }

    /** {@return the port of a node for clients} */
    public int port(int node) {
        return firstPort + node - 1;
    }

    /** {@return the port on which a node's Patroni tells its role} */
    public static int patroniPort(int node) {
        return FIRST_PATRONI_PORT + node - 1;
    }

    /** {@return the ports on which a node answers the other nodes} */
    public List<Integer> ports(int node) {
        if (isPatroni()) {
            return List.of(port(node), patroniPort(node));
        }
        if (isGroupReplication()) {
            return List.of(port(node), Integer.parseInt(environment.get("GRP")) + node - 1);
        }
        int first = Integer.parseInt(environment.get("GREP")) + 10 * (node - 1);
        return List.of(first, first + 1, first + 2);
    }

    /** {@return the ports of the service that decides which node is the primary} */
    public List<Integer> arbiterPorts() {
        return isPatroni() ? List.of(ETCD_PORT) : List.of();
    }

    /** Halts (SIGSTOP) all processes of a node, including those of its Patroni. Its connections stay open, but it answers no request. */
    public void halt(int node) throws IOException {
        halt(List.of(server(node))); // first, so that it starts no more processes
        halt(processes(node));
    }

    /** Halts processes of a node. */
    public void halt(List<Long> processes) throws IOException {
        signal("-STOP", processes);
    }

    /** Continues a halted node (SIGCONT), which does not know for how long it was halted. */
    public void proceed(int node) throws IOException {
        signal("-CONT", processes(node));
    }

    /** {@return the process id of the server} Under Patroni it is a child process; in other clusters it is the only process of its node. */
    private long server(int node) throws IOException {
        return pid(isPatroni() ? "n" + node + "/postmaster.pid" : "n" + node + ".pid");
    }

    private long pid(String file) throws IOException {
        return Long.parseLong(Files.readAllLines(folder.resolve(file)).get(0).strip());
    }

    private boolean isPatroni() {
        return environment.containsKey("PDIR");
    }

    private boolean isGroupReplication() {
        return environment.containsKey("GRP");
    }

    /** {@return the process id of the program that runs Patroni as another user} */
    private long patroni(int node) throws IOException {
        return pid("n" + node + ".pid");
    }

    /**
     * Lists children before their parents, because the program that runs Patroni as another user halts itself again while its child is
     * halted.
     */
    public List<Long> processes(int node) throws IOException {
        List<Long> roots = new ArrayList<>(List.of(server(node)));
        if (isPatroni()) {
            roots.add(patroni(node));
        }
        return roots.stream()
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .flatMap(process -> Stream.concat(process.descendants(), Stream.of(process)))
                .map(ProcessHandle::pid)
                .toList();
    }

    private void signal(String signal, List<Long> processes) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "bash", "-c", "for pid; do kill " + signal + " $pid || [ ! -e /proc/$pid ] || exit 1; done", "_"));
        processes.forEach(pid -> command.add(Long.toString(pid)));
        Command.run(command);
    }

    /** {@return whether a node has a server, or a Patroni that restarts the server} */
    public boolean isRunning(int node) throws IOException {
        return Files.exists(folder.resolve("n" + node + ".pid"))
                && ProcessHandle.of(isPatroni() ? patroni(node) : server(node)).isPresent();
    }

    /** Ends a node in an orderly way, and waits for its end. */
    public void stop(int node) throws IOException, SQLException {
        List<Long> all = processes(node);
        if (isGroupReplication()) {
            // Otherwise transactions that are committing when the node leaves would wait for 50 seconds, and be rolled
            // back.
            Sql.execute("node " + node, url(node, "jobs"), "SET GLOBAL super_read_only = ON");
        }
        // If the program that runs Patroni as another user got the signal, it would kill Patroni after two seconds.
        signal("-TERM", isPatroni() ? children(patroni(node)) : List.of(server(node)));
        await("the node has ended")
                .atMost(SOON)
                .until(() -> all.stream().noneMatch(pid -> ProcessHandle.of(pid).isPresent()));
    }

    private static List<Long> children(long pid) {
        return ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::children)
                .map(ProcessHandle::pid)
                .toList();
    }

    /** As {@code kill -9}. */
    public void kill(int node) throws IOException {
        run("kill", Integer.toString(node));
    }

    /** Restarts a node and waits until it is a member; the others may take longer to notice that it was gone. */
    public void rejoin(int node) throws IOException, InterruptedException {
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
        Command.run(command, environment);
    }

    @Override
    public void close() throws IOException {
        stop();
    }

    /** Ends all nodes. The script's command fails if a node does not run. This failure is printed and otherwise ignored. */
    private void stop() throws IOException {
        try {
            run("stop");
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
