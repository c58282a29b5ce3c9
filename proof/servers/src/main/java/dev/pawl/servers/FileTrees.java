package dev.pawl.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Operations on folders and their contents. */
public final class FileTrees {
    private FileTrees() {}

    /** {@return the number of files and folders in a folder} */
    static long count(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.count();
        }
    }

    /** Copies a folder with permissions and links. */
    static void copy(Path from, Path to) {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path source : (Iterable<Path>) all::iterator) {
                Files.copy(
                        source,
                        to.resolve(from.relativize(source).toString()),
                        StandardCopyOption.COPY_ATTRIBUTES,
                        LinkOption.NOFOLLOW_LINKS);
            }
        } catch (IOException | UncheckedIOException e) {
            throw new ServerException(
                    "cannot copy " + from + " to " + to + " (" + e + "): is there space in java.io.tmpdir?", e);
        }
    }

    /** Gives a folder to a user; only root may. */
    static void give(Path folder, int user) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) all::iterator) {
                Files.setAttribute(file, "unix:uid", user, LinkOption.NOFOLLOW_LINKS);
                Files.setAttribute(file, "unix:gid", user, LinkOption.NOFOLLOW_LINKS);
            }
        } catch (IOException | UncheckedIOException e) {
            throw new ServerException("cannot give " + folder + " to user " + user + ": " + e, e);
        }
    }

    /**
     * Deletes a folder and its contents; ignores files that vanish concurrently.
     *
     * @param folder may be missing
     */
    public static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try {
            Files.walkFileTree(folder, new Deletion());
        } catch (IOException e) {
            throw new ServerException("cannot delete " + folder + ": " + e, e);
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
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
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException gone) throws IOException {
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
