package dev.pawl.internal.wake;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * LISTEN on a connection of its own. At its start it sends itself a message through another connection; if that does not
 * arrive (a pooler in between, a pool of one) it gives its connection back and leaves the work to polling.
 */
final class PostgresListener implements Runnable, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresListener.class);
    private static final Duration SELF_TEST = Duration.ofSeconds(2);
    private static final int WAIT_MILLIS = 500;

    private final DataSource dataSource;
    private final String channel;
    private final Consumer<String> onQueue;
    private final Thread thread;
    private volatile boolean closed;

    PostgresListener(DataSource dataSource, String channel, Consumer<String> onQueue) {
        this.dataSource = dataSource;
        this.channel = channel;
        this.onQueue = onQueue;
        this.thread = new Thread(this, "pawl-listen");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    @Override
    public void run() {
        while (!closed) {
            try (Connection connection = dataSource.getConnection()) {
                if (!listen(connection)) {
                    LOG.info("LISTEN does not work through this pool (a transaction pooler, or a pool of one"
                            + " connection): workers find jobs by polling");
                    return;
                }
            } catch (SQLException e) {
                LOG.debug("the LISTEN connection broke; polling until it is back", e);
            }
            if (!closed) {
                pause();
            }
        }
    }

    /** False if the self-test shows that no message can arrive. */
    private boolean listen(Connection connection) throws SQLException {
        if (!connection.isWrapperFor(PGConnection.class)) {
            return false;
        }
        connection.setAutoCommit(true);
        PGConnection postgres = connection.unwrap(PGConnection.class);
        try (Statement statement = connection.createStatement()) {
            statement.execute("LISTEN " + postgres.escapeIdentifier(channel));
        }
        try {
            if (!selfTest(postgres)) {
                return false;
            }
            while (!closed) {
                receive(postgres, WAIT_MILLIS);
            }
            return true;
        } finally {
            if (!connection.isClosed()) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("UNLISTEN *");
                }
            }
        }
    }

    private boolean selfTest(PGConnection postgres) throws SQLException {
        String nonce = "self-test " + UUID.randomUUID();
        Thread sender = new Thread(() -> send(nonce), "pawl-listen-self-test");
        sender.setDaemon(true);
        sender.start();
        long deadline = System.nanoTime() + SELF_TEST.toNanos();
        while (System.nanoTime() - deadline < 0 && !closed) {
            for (PGNotification notification : notifications(postgres, 100)) {
                if (notification.getParameter().equals(nonce)) {
                    return true;
                }
                pass(notification);
            }
        }
        return closed;
    }

    private void send(String nonce) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
            statement.setString(1, channel);
            statement.setString(2, nonce);
            statement.execute();
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        } catch (SQLException e) {
            LOG.debug("the self-test of LISTEN could not be sent", e);
        }
    }

    private void receive(PGConnection postgres, int millis) throws SQLException {
        for (PGNotification notification : notifications(postgres, millis)) {
            pass(notification);
        }
    }

    private static PGNotification[] notifications(PGConnection postgres, int millis) throws SQLException {
        PGNotification[] received = postgres.getNotifications(millis);
        return received == null ? new PGNotification[0] : received;
    }

    private void pass(PGNotification notification) {
        String queue = notification.getParameter();
        if (!queue.startsWith("self-test ")) {
            onQueue.accept(queue);
        }
    }

    private void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(500, 1500));
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
