package dev.pawl.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A server of our own: a process with a data folder and a port on loopback. */
abstract class LocalServer implements TestServer {
    private static final Duration START = Duration.ofSeconds(60);
    private static final int TRIES = 5;

    private final Path folder;
    private final AtomicInteger databases = new AtomicInteger();
    private int port;
    private @Nullable ServerProcess process;

    LocalServer(String name, Path emptyData) {
        folder = ServerFiles.newFolder(name);
        ServerFiles.copy(emptyData, data());
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "close-" + name));
    }

    final Path folder() {
        return folder;
    }

    final Path data() {
        return folder.resolve("data");
    }

    /** {@return the command line of the server} */
    abstract List<String> command(int port);

    /** {@return the URL of a database; the server's own one for null} */
    abstract String url(int port, @Nullable String database);

    /** {@return what creates a database} */
    abstract String createStatement(String database);

    /** {@return what drops a database that others may still use} */
    abstract String dropStatement(String database);

    @Override
    public final boolean canRestart() {
        return true;
    }

    /** The port is chosen at the first start; another program may take it before the server does. */
    @Override
    public final synchronized void start() {
        for (int tries = 1; ; tries++) {
            int chosen = port != 0 ? port : freePort();
            ServerProcess started = ServerProcess.start(command(chosen), folder.resolve("output"));
            process = started;
            if (answers(chosen, started)) {
                port = chosen;
                return;
            }
            started.kill();
            if (tries == TRIES || port != 0) {
                throw new ServerException(
                        name() + " did not start within " + START.toSeconds() + " s:\n" + started.tail());
            }
        }
    }

    private boolean answers(int chosen, ServerProcess started) {
        long deadline = System.nanoTime() + START.toNanos();
        while (System.nanoTime() - deadline < 0 && started.isAlive()) {
            try (Connection connection = DriverManager.getConnection(url(chosen, null))) {
                return connection.isValid(5);
            } catch (SQLException notYet) {
                pause();
            }
        }
        return false;
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(50); // a server that starts gives no signal to wait for
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerException("interrupted while a server started", e);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("there is no free port on loopback", e);
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
        execute(createStatement(database));
        return new TestDatabase(url(port, database), () -> execute(dropStatement(database)));
    }

    private synchronized void execute(String sql) {
        if (process == null) {
            return; // killed: its databases go with it
        }
        try (Connection connection = DriverManager.getConnection(url(port, null));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new ServerException(name() + " refuses: " + sql, e);
        }
    }

    @Override
    public final synchronized void close() {
        kill();
        ServerFiles.delete(folder);
    }
}
