package dev.pawl.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Remains of a server in the operating system. */
final class Traces {
    private static final Path LIST = Path.of("/proc/sysvipc/shm");

    private Traces() {}

    /** {@return the processes with the folder in their command line, and their children} */
    static List<ProcessHandle> processes(Path folder) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid())
                .filter(process -> process.info().commandLine().orElse("").contains(folder.toString()))
                .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                .distinct()
                .toList();
    }

    /** {@return the id of the server's shared memory, if it is a PostgreSQL and the system lists such memory} */
    static Optional<String> sharedMemory(Path folder) {
        Path status = folder.resolve("data/postmaster.pid");
        return Files.exists(status) && Files.exists(LIST)
                ? Optional.of(lines(status).get(6).replaceAll(".* ", ""))
                : Optional.empty();
    }

    /** {@return whether shared memory with that id exists} */
    static boolean sharedMemoryExists(String number) {
        return lines(LIST).stream()
                .anyMatch(line -> line.strip().split("\\s+", 3)[1].equals(number));
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
