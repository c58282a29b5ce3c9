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
 * Where a server runs: its CPU time can be read on this machine only, and must not be taken for that of strangers.
 *
 * @param place where
 * @param processes of the server that the lab has not started itself; their children belong to them
 */
public record Housing(Place place, List<ProcessHandle> processes) {
    private static final Pattern ONE_ADDRESS =
            Pattern.compile("jdbc:[a-z]+://(?:[^@/?,()]*@)?(\\[[^]]+]|[^:/?,()]*)(?::(\\d{1,5}))?(?:[/?].*)?");
    private static final Map<String, Integer> PORTS = Map.of("postgresql", 5432, "mysql", 3306, "mariadb", 3306);
    private static final String LISTENS = "0A";
    private static final int LOCAL_ADDRESS = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;

    /** Where a server runs. */
    public enum Place {
        /** On this machine, and its processes are known. */
        HERE,
        /** On another machine. */
        ELSEWHERE,
        /** Perhaps on this machine, but by none of the processes that the lab may look at. */
        UNKNOWN
    }

    /** Copies the list. */
    public Housing {
        processes = List.copyOf(processes);
    }

    /** {@return that of a server which the lab has started, or which runs inside it} */
    static Housing ours() {
        return new Housing(Place.HERE, List.of());
    }

    /** {@return that of the server behind a JDBC URL with one host; unknown for several} */
    static Housing of(String product, String url) {
        Matcher address = ONE_ADDRESS.matcher(url);
        if (!address.matches()) {
            return new Housing(Place.UNKNOWN, List.of());
        }
        try {
            String host = address.group(1).isEmpty() ? "localhost" : address.group(1);
            InetAddress at = InetAddress.getByName(host);
            if (!at.isLoopbackAddress() && NetworkInterface.getByInetAddress(at) == null) {
                return new Housing(Place.ELSEWHERE, List.of());
            }
            int port = address.group(2) == null ? PORTS.getOrDefault(product, 0) : Integer.parseInt(address.group(2));
            List<ProcessHandle> found = listening(port);
            return new Housing(found.isEmpty() ? Place.UNKNOWN : Place.HERE, found);
        } catch (IOException | UncheckedIOException notLinux) {
            return new Housing(Place.UNKNOWN, List.of());
        }
    }

    /** A container's server is behind a proxy whose CPU time says nothing. */
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
