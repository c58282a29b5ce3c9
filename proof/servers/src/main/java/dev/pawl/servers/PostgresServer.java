package dev.pawl.servers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** PostgreSQL from a Maven artifact. */
final class PostgresServer extends LocalServer {
    private static final String VERSION = "18.6";

    private final Path program;
    private final Demotion demotion;
    private final Durability durability;

    private PostgresServer(Path program, Path emptyData, Demotion demotion, Durability durability) {
        super(Product.POSTGRESQL, emptyData);
        this.durability = durability;
        this.program = program;
        this.demotion = demotion;
        demotion.own(data());
    }

    static TestServer create(Durability durability) {
        Demotion demotion = Demotion.find();
        Path program = Cache.folder("postgresql-" + VERSION, PostgresArchive::unpack);
        String cached = "postgresql-" + VERSION + (demotion.owner().isPresent() ? "-nobody" : "") + "-data";
        Path empty = Cache.folder(cached, folder -> {
            demotion.own(folder);
            List<String> initdb = new ArrayList<>(demotion.prefix());
            initdb.addAll(List.of(program.resolve("bin/initdb").toString(), "-D", folder.toString()));
            initdb.addAll(List.of("-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync"));
            Programs.run(initdb, folder.resolveSibling("initdb.log"));
        });
        return new PostgresServer(program, empty, demotion, durability).started();
    }

    /** {@return the command} It puts shared memory into files of the data folder, because in /dev/shm the memory would outlive a kill. */
    @Override
    List<String> command(int port) {
        List<String> command = new ArrayList<>(demotion.prefix());
        command.addAll(List.of(program.resolve("bin/postgres").toString(), "-D", data().toString()));
        for (String setting : List.of(
                "port=" + port,
                "listen_addresses=127.0.0.1",
                "unix_socket_directories=",
                "dynamic_shared_memory_type=mmap",
                "max_connections=500",
                "shared_buffers=128MB",
                "max_wal_size=2GB",
                "fsync=" + (durability == Durability.DISK ? "on" : "off"))) {
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
    String dataQuery() {
        return "SHOW data_directory";
    }

    @Override
    void drop(String url, String database) {
        Sql.execute(name(), url, "DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
    }
}
