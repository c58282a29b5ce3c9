package dev.pawl.conformance.chaos;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** TCP connections of processes, as Linux lists them. */
final class Sockets {
    private static final String ESTABLISHED = "01";

    private Sockets() {}

    /** {@return the local ports of a process's open connections to a port} */
    static List<Integer> establishedTo(int port, long pid) throws IOException {
        Set<String> own = inodes(pid);
        List<Integer> found = new ArrayList<>();
        for (String list : List.of("tcp", "tcp6")) {
            Path path = Path.of("/proc", Long.toString(pid), "net", list);
            for (String line : Files.readAllLines(path)) {
                String[] words = line.strip().split("\\s+", -1);
                if (words.length > 9
                        && words[3].equals(ESTABLISHED)
                        && portOf(words[2]) == port
                        && own.contains(words[9])) {
                    found.add(portOf(words[1]));
                }
            }
        }
        return found;
    }

    private static Set<String> inodes(long pid) throws IOException {
        Set<String> inodes = new HashSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
            for (Path file : files) {
                String target = target(file);
                if (target.startsWith("socket:[")) {
                    inodes.add(target.substring(8, target.length() - 1));
                }
            }
        }
        return inodes;
    }

    /** {@return the target of an open file's link; empty if the file was closed} */
    private static String target(Path file) throws IOException {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (NoSuchFileException closed) {
            return "";
        }
    }

    private static int portOf(String address) {
        return Integer.parseInt(address.substring(address.indexOf(':') + 1), 16);
    }
}
