package dev.pawl.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** MariaDB from a Maven artifact. */
final class MariaDbServer extends LocalServer {
    private static final String VERSION = "11.4.5";

    /** MariaDB refuses to run as root without this option; for ordinary users it has no effect. */
    private static final String AS_CALLER = "--user=" + System.getProperty("user.name");

    private final Path program;
    private final Durability durability;
    private final List<String> options;

    private MariaDbServer(Path program, Path emptyData, Durability durability, List<String> options) {
        super(Product.MARIADB, emptyData);
        this.durability = durability;
        this.options = options;
        this.program = program;
    }

    static TestServer create(Durability durability, String... options) {
        Path program = Cache.folder("mariadb-" + VERSION, folder -> MariaDbArchive.unpack(VERSION, folder));
        Path empty = Cache.folder("mariadb-" + VERSION + "-data", folder -> {
            List<String> install = new ArrayList<>();
            install.add(program.resolve("scripts/mariadb-install-db").toString());
            install.addAll(List.of("--no-defaults", "--basedir=" + program, "--datadir=" + folder, AS_CALLER));
            install.addAll(
                    List.of("--auth-root-authentication-method=normal", "--skip-test-db", "--skip-name-resolve"));
            install.addAll(List.of("--skip-ssl", "--innodb-log-file-size=4M"));
            Programs.run(install, folder.resolveSibling("mariadb-install.log"));
        });
        return new MariaDbServer(program, empty, durability, List.of(options)).started();
    }

    /**
     * {@return the command} It disables TLS: otherwise the server would create a new key at each start, which takes between two and twenty
     * seconds.
     */
    @Override
    List<String> command(int port) {
        List<String> command = new ArrayList<>();
        command.addAll(List.of(program.resolve("bin/mariadbd").toString(), "--no-defaults", "--basedir=" + program));
        command.addAll(List.of("--datadir=" + data(), AS_CALLER, "--port=" + port, "--bind-address=127.0.0.1"));
        command.addAll(List.of("--socket=socket", "--pid-file=" + folder().resolve("pid"), "--skip-name-resolve"));
        command.addAll(List.of("--skip-ssl", "--init-file=" + userScript(), "--max-connections=500"));
        command.addAll(List.of("--innodb-buffer-pool-size=128M", "--innodb-log-file-size=96M"));
        command.add("--character-set-server=utf8mb4");
        command.addAll(
                switch (durability) {
                    case DISK -> List.of("--innodb-flush-log-at-trx-commit=1");
                    case PROCESS ->
                        List.of("--innodb-flush-log-at-trx-commit=2", "--innodb-flush-method=nosync", "--sync-frm=0");
                });
        command.addAll(options);
        return command;
    }

    private Path userScript() {
        Path script = folder().resolve("user.sql");
        try {
            return Files.writeString(script, """
                    CREATE USER IF NOT EXISTS 'pawl'@'127.0.0.1' IDENTIFIED BY 'pawl';
                    GRANT ALL ON *.* TO 'pawl'@'127.0.0.1' WITH GRANT OPTION;
                    """);
        } catch (IOException e) {
            throw new ServerException("cannot write " + script + ": " + e, e);
        }
    }

    @Override
    String url(int port, @Nullable String database) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/" + (database == null ? "" : database)
                + "?user=pawl&password=pawl&sslMode=disable";
    }

    @Override
    String dataQuery() {
        return "SELECT @@datadir";
    }

    @Override
    void drop(String url, String database) {
        Sql.dropMySqlDatabase(name(), url, database);
    }
}
