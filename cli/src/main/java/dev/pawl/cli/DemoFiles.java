package dev.pawl.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Real files for the demonstration: those of a directory, or the class files of the JDK. */
final class DemoFiles {
    private DemoFiles() {}

    static List<URI> find(@Nullable Path directory, int limit) {
        Path root = directory != null
                ? directory
                : FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        if (!Files.isDirectory(root)) {
            throw new UsageException(root + " is not a directory: name one with files in it");
        }
        try (Stream<Path> files = Files.walk(root)) {
            List<URI> found = files.filter(Files::isRegularFile)
                    .filter(Files::isReadable)
                    .limit(limit)
                    .map(Path::toUri)
                    .toList();
            if (found.isEmpty()) {
                throw new UsageException(root + " has no files to work on: name another directory");
            }
            return found;
        } catch (IOException | UncheckedIOException e) {
            throw new UsageException("cannot read " + root + ": " + e.getMessage());
        }
    }
}
