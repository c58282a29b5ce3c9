package dev.pawl.servers;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/** The folder in java.io.tmpdir for one user's servers. The user's JVMs share it and change it under a lock. */
final class ServerHome {
    /** A file system in memory, if available: commits need not wait for a disk, and survive the end of a process. */
    private static final Path MEMORY = Path.of("/dev/shm");

    private static final long ENOUGH = 2_000_000_000L;

    private ServerHome() {}

    /** An operation that excludes other JVMs. */
    interface Action<T> {
        T run() throws IOException;
    }

    static Path folder() {
        return folderIn(Path.of(System.getProperty("java.io.tmpdir")));
    }

    /** {@return the folder in memory, if there is space; otherwise on disk} */
    static Path folderInMemory() {
        try {
            boolean roomy =
                    Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() > ENOUGH;
            return roomy ? folderIn(MEMORY) : folder();
        } catch (IOException e) {
            return folder();
        }
    }

    private static Path folderIn(Path parent) {
        Path home = parent.resolve("pawl-conformance-" + System.getProperty("user.name"))
                .toAbsolutePath();
        try {
            Files.createDirectories(home);
            int owner = (int) Files.getAttribute(home, "unix:uid");
            int user = user();
            if (owner != user) {
                // Programs in this folder are executed, so no other user may have put them there.
                throw new ServerException(home + " belongs to user " + owner + ", not to you (" + user
                        + "): have it deleted, or choose another folder with -Djava.io.tmpdir=…");
            }
            // Other users may traverse it, because a server that root starts may have to run as another user.
            return Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx--x--x"));
        } catch (IOException | UnsupportedOperationException e) {
            throw new ServerException(
                    "cannot use " + home + " (" + e
                            + "): on Linux or macOS, set java.io.tmpdir to a folder that you can write to; other systems"
                            + " have no embedded servers",
                    e);
        }
    }

    /** {@return the number of the user that this JVM runs as} */
    static int user() throws IOException {
        Path file = Files.createTempFile("pawl-", ".user");
        try {
            return (int) Files.getAttribute(file, "unix:uid");
        } finally {
            Files.delete(file);
        }
    }

    /** Two threads of one JVM cannot lock one file at the same time, hence synchronized. */
    static synchronized <T> T locked(Path file, Action<T> action) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.lock();
            return action.run();
        }
    }
}
