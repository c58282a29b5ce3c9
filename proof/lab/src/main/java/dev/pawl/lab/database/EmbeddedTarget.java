package dev.pawl.lab.database;

import dev.pawl.servers.Durability;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.util.function.Supplier;

/** A server included in the lab that runs on this machine as long as the lab, with its default durability. */
record EmbeddedTarget(String product, Supplier<TestServer> server) implements Target {
    static EmbeddedTarget of(String name) {
        return switch (name) {
            case "postgresql" -> new EmbeddedTarget(name, () -> TestServers.postgres(Durability.DISK));
            case "mariadb" -> new EmbeddedTarget(name, () -> TestServers.mariaDb(Durability.DISK));
            case "sqlite" -> new EmbeddedTarget(name, () -> TestServers.sqlite(Durability.DISK));
            default ->
                throw new IllegalArgumentException(
                        "'" + Secrets.hidden(name) + "' is not a database of the lab: use postgresql, mariadb"
                                + " or sqlite, or a JDBC URL with user and password, with a delay before it as in 1ms@postgresql");
        };
    }

    @Override
    public String name() {
        return product;
    }

    @Override
    public ServerLocation location() {
        return ServerLocation.ours();
    }

    @Override
    public Scratch scratch() {
        TestDatabase database = server.get().createDatabase();
        return new Scratch(product, database.jdbcUrl(), true, database);
    }
}
