package dev.pawl.conformance.chaos;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.servers.cluster.Cluster;
import dev.pawl.servers.cluster.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A network that loses all packets between a node and the others, in both directions, and none between a node and its clients. The nodes
 * share one machine, so the rules know a packet's node by its sender's control group (v2). Connections that were opened before the node was
 * in its group are recognised by their ports.
 */
final class Split implements AutoCloseable {
    private static final Path NFT = Path.of("/usr/sbin/nft");
    /** Where {@code nft} looks for groups. */
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");

    private static final String TABLE = "inet pawl_split";

    private final Cluster cluster;
    private final Path root = root();
    private final List<String> rules = new ArrayList<>();

    static void assume() throws IOException {
        assumeTrue(Files.isExecutable(NFT), NFT + " is not here");
        assumeTrue(Files.isWritable(root().resolve("cgroup.procs")), "no control groups (v2) can be made here");
    }

    Split(Cluster cluster, int node) throws IOException {
        this.cluster = cluster;
        drop(node, cluster.arbiterPorts());
        for (int other = 1; other <= Cluster.NODES; other++) {
            if (other != node) {
                drop(node, cluster.ports(other));
                drop(other, cluster.ports(node));
            }
        }
        apply("table " + TABLE + " {\nchain output {\ntype filter hook output priority 0\n" + String.join("\n", rules)
                + "\n}\n}");
    }

    private static Path root() throws IOException {
        return Files.readAllLines(Path.of("/proc/mounts")).stream()
                .map(line -> line.split(" "))
                .filter(mount -> mount[2].equals("cgroup2"))
                .map(mount -> Path.of(mount[1]))
                .findFirst()
                .orElse(GROUPS);
    }

    private Path group(int node) {
        return root.resolve("pawl-node-" + node);
    }

    /** Drops what a node sends to these ports, and on open connections also the replies. */
    private void drop(int from, List<Integer> ports) throws IOException {
        if (ports.isEmpty()) {
            return;
        }
        enter(from);
        String list = ports.stream().map(String::valueOf).collect(Collectors.joining(", "));
        rules.add("socket cgroupv2 level 1 \"" + GROUPS.relativize(group(from)) + "\" tcp dport { " + list + " } drop");
        for (long process : cluster.processes(from)) {
            for (int port : ports) {
                for (int local : connections(process, port)) {
                    rules.add("tcp sport " + local + " tcp dport " + port + " drop");
                    rules.add("tcp sport " + port + " tcp dport " + local + " drop");
                }
            }
        }
    }

    private static List<Integer> connections(long process, int port) throws IOException {
        try {
            return Sockets.establishedTo(port, process);
        } catch (NoSuchFileException ended) {
            return List.of();
        }
    }

    /** Moves the processes of a node to its group; twice, because a process may start another one before it is moved. */
    private void enter(int node) throws IOException {
        Files.createDirectories(group(node));
        for (int i = 0; i < 2; i++) {
            for (long process : cluster.processes(node)) {
                move(Long.toString(process), group(node));
            }
        }
    }

    private static void move(String process, Path group) throws IOException {
        try {
            Files.writeString(group.resolve("cgroup.procs"), process);
        } catch (IOException e) {
            if (Files.exists(Path.of("/proc", process))) {
                throw e;
            }
        }
    }

    private static void apply(String commands) throws IOException {
        Path file = Files.createTempFile("pawl-split-", ".nft");
        try {
            // The table is added first, so that it can be deleted in any case; a killed run may have left it.
            Files.writeString(file, "add table " + TABLE + "\ndelete table " + TABLE + "\n" + commands + "\n");
            Command.run(List.of(NFT.toString(), "-f", file.toString()));
        } finally {
            Files.delete(file);
        }
    }

    /** Heals the network. */
    @Override
    public void close() throws IOException {
        apply("");
        for (int node = 1; node <= Cluster.NODES; node++) {
            Path group = group(node);
            for (String process : Files.readAllLines(group.resolve("cgroup.procs"))) {
                move(process, root);
            }
            Files.delete(group);
        }
    }
}
