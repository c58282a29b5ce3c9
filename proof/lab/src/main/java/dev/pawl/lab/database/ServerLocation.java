package dev.pawl.lab.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The location of a server. The server's CPU time can be read only on this machine, and only if its processes are known, because other
 * programs use CPU time as well.
 *
 * @param place where
 * @param processes of the server, if the lab has not started it; the CPU time of their descendants counts as well
 */
public record ServerLocation(Place place, List<ProcessHandle> processes) {
    private static final Pattern ONE_ADDRESS =
            Pattern.compile("jdbc:[a-z]+://(?:[^@/?,()]*@)?(\\[[^]]+]|[^:/?,()]*)(?::(\\d{1,5}))?(?:[/?].*)?");
    private static final Map<String, Integer> PORTS = Map.of("postgresql", 5432, "mysql", 3306, "mariadb", 3306);
    private static final String LISTENS = "0A";
    private static final int LOCAL_ADDRESS = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;

    /** The location of a server. */
    public enum Place {
        /** On this machine, with known processes. */
        LOCAL,
        /** On another machine. */
        REMOTE,
        /** Possibly on this machine, but not in a process that the lab may inspect. */
        UNKNOWN
    }

    /** Copies the list. */
    public ServerLocation {
        processes = List.copyOf(processes);
    }

    /** {@return the location of a server that the lab has started, or that runs inside it} */
    static ServerLocation ours() {
        return new ServerLocation(Place.LOCAL, List.of());
    }

    /** {@return the location of the server in a JDBC URL with one host; unknown for several} */
    static ServerLocation of(String product, String url) {
        Matcher address = ONE_ADDRESS.matcher(url);
        if (!address.matches()) {
            return new ServerLocation(Place.UNKNOWN, List.of());
        }
        try {
            String host = address.group(1).isEmpty() ? "localhost" : address.group(1);
            InetAddress at = InetAddress.getByName(host);
            if (!at.isLoopbackAddress() && NetworkInterface.getByInetAddress(at) == null) {
                return new ServerLocation(Place.REMOTE, List.of());
            }
            int port = address.group(2) == null ? PORTS.getOrDefault(product, 0) : Integer.parseInt(address.group(2));
            List<ProcessHandle> found = listening(port);
            return new ServerLocation(found.isEmpty() ? Place.UNKNOWN : Place.LOCAL, found);
        } catch (IOException | UncheckedIOException notLinux) {
            return new ServerLocation(Place.UNKNOWN, List.of());
        }
    }

    /** Excludes proxies. If a server runs in a container, a proxy listens on its port, and the proxy's CPU time is meaningless. */
    private static List<ProcessHandle> listening(int port) throws IOException {
        Set<String> sockets = new HashSet<>();
        for (String table : new String[] {"/proc/net/tcp", "/proc/net/tcp6"}) {
            if (Files.isReadable(Path.of(table))) {
                for (String line : Files.readAllLines(Path.of(table))) {
                    List<String> fields = List.of(line.trim().split("\\s+"));
                    if (fields.get(STATE).equals(LISTENS)
                            && fields.get(LOCAL_ADDRESS).endsWith(String.format(":%04X", port))) {
                        sockets.add("socket:[" + fields.get(INODE) + "]");
                    }
                }
            }
        }
        return sockets.isEmpty()
                ? List.of()
                : ProcessHandle.allProcesses()
                        .filter(process -> holds(process, sockets))
                        .filter(process -> !process.info().command().orElse("").contains("proxy"))
                        .toList();
    }

    private static boolean holds(ProcessHandle process, Set<String> sockets) {
        try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
            return files.anyMatch(file -> sockets.contains(target(file)));
        } catch (IOException | UncheckedIOException notOurs) {
            return false;
        }
    }

    private static String target(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException closed) {
            return "";
        }
    }
}
