package dev.pawl.servers;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A JVM that starts a server, creates a database, prints their locations, and waits to be killed or ends without closing. */
final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws InterruptedException {
        TestServer server = switch (arguments[0]) {
            case "postgresql" -> TestServers.newPostgres();
            case "mariadb" -> TestServers.newMariaDb();
            default -> TestServers.sqlite();
        };
        TestDatabase database = server.createDatabase();
        Path folder = server instanceof LocalServer local
                ? local.folder()
                : Path.of(database.jdbcUrl().substring("jdbc:sqlite:".length())).getParent();
        System.out.println("url " + database.jdbcUrl());
        System.out.println("folder " + folder);
        if (arguments.length == 1) {
            new CountDownLatch(1).await();
        }
    }
}
