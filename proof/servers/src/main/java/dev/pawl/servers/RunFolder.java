package dev.pawl.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The folder of this JVM's data within a {@link ServerHome}. The JVM deletes it at exit, and has a lock on a file beside it. A killed JVM
 * leaves the folder but loses the lock. The next JVM deletes every folder whose lock is free.
 */
final class RunFolder {
    private static final Map<Path, RunFolder> OURS = new HashMap<>();

    private final Path folder;
    private final FileChannel lock;
    private final List<LocalServer> servers = new ArrayList<>();
    private int count;

    private RunFolder(Path folder, FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /** {@return a new, empty folder} */
    static Path newFolder(String name) {
        return newFolder(name, ServerHome.folder());
    }

    /** {@return a new, empty folder, in memory if there is space} */
    static Path newFolderInMemory(String name) {
        return newFolder(name, ServerHome.folderInMemory());
    }

    private static synchronized Path newFolder(String name, Path home) {
        RunFolder run = in(home);
        try {
            return passable(Files.createDirectory(run.folder.resolve(name + "-" + ++run.count)));
        } catch (IOException e) {
            throw new ServerException("cannot create a folder in " + run.folder + ": " + e, e);
        }
    }

    /** Closes the server when the JVM exits, unless {@link #forget} is called first. */
    static synchronized void closeOnExit(LocalServer server) {
        in(ServerHome.folder()).servers.add(server);
    }

    static synchronized void forget(LocalServer server) {
        in(ServerHome.folder()).servers.remove(server);
    }

    private static synchronized RunFolder in(Path home) {
        return OURS.computeIfAbsent(home, at -> {
            RunFolder run = create(at);
            Runtime.getRuntime().addShutdownHook(new Thread(run::closeAll, "pawl-test-servers"));
            return run;
        });
    }

    private static RunFolder create(Path home) {
        try {
            Path runs = passable(Files.createDirectories(home.resolve("run")));
            return ServerHome.locked(home.resolve("run.lock"), () -> {
                deleteAbandoned(runs);
                Path folder = passable(
                        Files.createTempDirectory(runs, ProcessHandle.current().pid() + "-"));
                FileChannel lock =
                        FileChannel.open(lockOf(folder), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                lock.lock();
                return new RunFolder(folder, lock);
            });
        } catch (IOException | UncheckedIOException e) {
            throw new ServerException("cannot create a folder in " + home + ": " + e, e);
        }
    }

    /**
     * Skips this JVM's folders, including those of other class loaders. When a process closes any channel to a file, POSIX releases all
     * locks of the process on that file. So a test of the lock would release it, and another JVM could delete the folder.
     */
    private static void deleteAbandoned(Path runs) throws IOException {
        String ours = ProcessHandle.current().pid() + "-";
        List<Path> folders;
        try (Stream<Path> all = Files.list(runs)) {
            folders = all.filter(Files::isDirectory)
                    .filter(folder -> !folder.getFileName().toString().startsWith(ours))
                    .toList();
        }
        for (Path folder : folders) {
            try (FileChannel lock =
                    FileChannel.open(lockOf(folder), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                if (lock.tryLock() != null) {
                    FileTrees.delete(folder);
                    Files.deleteIfExists(lockOf(folder));
                }
            } catch (ServerException inUse) {
                // The server of this folder is just dying, so the next JVM deletes the folder.
            }
        }
    }

    private void closeAll() {
        List<LocalServer> open;
        synchronized (RunFolder.class) {
            open = List.copyOf(servers);
        }
        for (LocalServer server : open) {
            try {
                server.close();
            } catch (ServerException e) {
                System.err.println("a test server was not closed: " + e.getMessage());
            }
        }
        FileTrees.delete(folder);
        try (lock) {
            Files.deleteIfExists(lockOf(folder));
        } catch (IOException e) {
            System.err.println("the lock of a deleted folder stays: " + e.getMessage());
        }
    }

    private static Path lockOf(Path folder) {
        return folder.resolveSibling(folder.getFileName() + ".lock");
    }

    /** Lets other users traverse the folder: a server that root starts may have to run as another user. */
    private static Path passable(Path folder) throws IOException {
        return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    }
}
