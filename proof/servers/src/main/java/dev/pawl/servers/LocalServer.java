package dev.pawl.servers;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A server started by this library: a process with a data folder and a port on loopback. */
abstract sealed class LocalServer implements TestServer permits PostgresServer, MariaDbServer {
    private static final Duration START = Duration.ofSeconds(60);
    private static final int TRIES = 5;

    private final Product product;
    private final String name;
    private final Path folder;
    private final AtomicInteger databases = new AtomicInteger();
    private int port;
    private @Nullable ServerProcess process;
    private boolean closed;

    /** Copies an empty data folder into a new folder. */
    LocalServer(Product product, Path emptyData) {
        this.product = product;
        this.name = product.lowerCaseName();
        folder = RunFolder.newFolder(name);
        FileTrees.copy(emptyData, data());
    }

    final Path folder() {
        return folder;
    }

    final Path data() {
        return folder.resolve("data");
    }

    /** {@return the command line of the server} */
    abstract List<String> command(int port);

    /** {@return the URL of a database; the server's own database for null} */
    abstract String url(int port, @Nullable String database);

    /** {@return a query for the data folder of the responding server} */
    abstract String dataQuery();

    /** Drops a database that may still be in use. */
    abstract void drop(String url, String database);

    @Override
    public final Product product() {
        return product;
    }

    @Override
    public final String version() {
        return Sql.version(name, url(port(), null));
    }

    @Override
    public final boolean canRestart() {
        return true;
    }

    /** Starts the server for the first time; cleans up if that fails. */
    final TestServer started() {
        RunFolder.closeOnExit(this);
        try {
            start();
            return this;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    @Override
    public final synchronized void start() {
        if (closed) {
            throw new ServerException(name + " is closed, and its data are deleted: ask for a new one");
        }
        if (process != null && process.isAlive()) {
            return;
        }
        for (int tries = 1; ; tries++) {
            int chosen = port != 0 ? port : Ports.free();
            ServerProcess started = ServerProcess.start(command(chosen), folder);
            @Nullable String problem = awaitAnswer(chosen, started);
            if (problem == null) {
                port = chosen;
                process = started;
                return;
            }
            boolean slow = started.isAlive();
            String log = started.tail();
            started.kill();
            if (slow || tries == TRIES) {
                throw new ServerException(
                        name + " does not start on port " + chosen + ": " + problem + "\nThe end of its log:\n" + log);
            }
        }
    }

    /** {@return null once the server responds; otherwise the problem} */
    private @Nullable String awaitAnswer(int chosen, ServerProcess started) {
        long deadline = System.nanoTime() + START.toNanos();
        String last = "no answer";
        while (started.isAlive()) {
            try {
                return isOurs(chosen) ? null : "another server answers there";
            } catch (SQLException notYet) {
                last = notYet.getMessage();
            }
            if (System.nanoTime() - deadline > 0) {
                return "no good answer within " + START.toSeconds() + " s, the last was: " + last;
            }
            ServerProcess.pause();
        }
        return "its process has ended";
    }

    /** {@return whether the responding server is this one} The port was free a moment ago, but another program may have taken it first. */
    private boolean isOurs(int chosen) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(chosen, null));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(dataQuery())) {
            return row.next() && Path.of(row.getString(1)).equals(data());
        }
    }

    @Override
    public final synchronized void kill() {
        if (process != null) {
            process.kill();
            process = null;
        }
    }

    @Override
    public final TestDatabase createDatabase() {
        String database = "test_" + databases.incrementAndGet();
        int used = port();
        Sql.execute(name, url(used, null), "CREATE DATABASE " + database);
        return new TestDatabase(url(used, database), () -> dropIfRunning(database));
    }

    private synchronized int port() {
        if (process == null || !process.isAlive()) {
            throw new ServerException(name + " does not run: start it first");
        }
        return port;
    }

    /** Drops a database, unless the server was killed. The databases of a killed server are deleted with its data. */
    private synchronized void dropIfRunning(String database) {
        if (process != null && process.isAlive()) {
            drop(url(port, null), database);
        }
    }

    @Override
    public final synchronized void close() {
        closed = true;
        if (process != null) {
            process.discard();
            process = null;
        }
        FileTrees.delete(folder);
        RunFolder.forget(this);
    }
}
