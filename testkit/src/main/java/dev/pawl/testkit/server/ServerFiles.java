package dev.pawl.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Folders of servers: unpacked programs and empty data folders are made once and kept for later runs. */
final class ServerFiles {
    private ServerFiles() {}

    /** Fills a new folder. */
    interface Filler {
        void fill(Path folder) throws IOException;
    }

    /** {@return the folder of that name, filled on first use by one of many processes} */
    static Path cached(String name, Filler filler) {
        Path root = Path.of(System.getProperty("java.io.tmpdir"), "pawl-testkit-" + System.getProperty("user.name"));
        Path ready = root.resolve(name);
        try {
            Files.createDirectories(root);
            try (FileChannel channel = FileChannel.open(
                            root.resolve(name + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                if (lock.isValid() && !Files.isDirectory(ready)) {
                    Path half = root.resolve(name + ".half");
                    delete(half);
                    Files.createDirectories(half);
                    filler.fill(half);
                    Files.move(half, ready, StandardCopyOption.ATOMIC_MOVE);
                }
            }
            return ready;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot prepare " + ready + ": is there space in java.io.tmpdir?", e);
        }
    }

    static Path newFolder(String name) {
        try {
            return Files.createTempDirectory("pawl-" + name + "-");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a folder in java.io.tmpdir", e);
        }
    }

    /** Copies a folder with permissions and links. */
    static void copy(Path from, Path to) {
        try {
            Files.walkFileTree(from, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
                        throws IOException {
                    Path target = to.resolve(from.relativize(folder).toString());
                    if (!Files.isDirectory(target)) {
                        Files.copy(folder, target, StandardCopyOption.COPY_ATTRIBUTES);
                    } else {
                        Files.setPosixFilePermissions(target, Files.getPosixFilePermissions(folder));
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.copy(
                            file,
                            to.resolve(from.relativize(file).toString()),
                            StandardCopyOption.COPY_ATTRIBUTES,
                            LinkOption.NOFOLLOW_LINKS);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("cannot copy " + from + " to " + to, e);
        }
    }

    /** Deletes a folder and what is in it; files that vanish meanwhile do not matter. */
    static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException gone) {
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path done, @Nullable IOException e) throws IOException {
                    Files.deleteIfExists(done);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + folder, e);
        }
    }
}
